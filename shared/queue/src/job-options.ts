import { type Capability, jobId } from "@proofroom/contracts";
import type { JobsOptions } from "bullmq";
import type { StepJob } from "./step-job.ts";

const hour = 3_600;

/** How BullMQ is to treat a job of the capability. Finished jobs are kept for a while, by age and by count. */
export function jobOptions(capability: Capability, job: StepJob): JobsOptions {
  return {
    jobId: jobId(job.run_id, job.step_id, job.generation),
    attempts: capability.policy.attempts,
    backoff: { type: "proofroom", delay: capability.policy.backoffMs },
    removeOnComplete: { age: hour, count: 1_000 },
    removeOnFail: { age: 24 * hour, count: 1_000 },
    stackTraceLimit: 1,
  };
}
