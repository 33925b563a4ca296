import { runIdSchema } from "@proofroom/contracts";
import { cancelRun, parseJobId } from "@proofroom/runtime";
import { openLedger } from "@proofroom/runtime/records";
import { z } from "zod";
import { deliverJob } from "../jobs/deliver-job.ts";
import { anyJobAnswerSchema, jobAnswer } from "../jobs/job-answer.ts";
import { findJob, isUnfinished, lookAtJob } from "../jobs/look-at-job.ts";
import { jobOfStep } from "../jobs/step-jobs.ts";
import { defineTool, type Tool } from "./tool.ts";

/** The longest wait of one call, in milliseconds: clients give up after 60 seconds. */
const longestWait = 50_000;

const input = z
  .object({ job_id: z.string().max(200).describe("The job_id that a tool answered with.") })
  .strict();

const jobGet = defineTool({
  name: "job_get",
  toolset: "jobs",
  title: "Look at a job",
  description:
    "Says at once what a job has come to: queued, running, succeeded with its output, failed with its error, or cancelled.",
  input,
  output: anyJobAnswerSchema,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  async run({ job_id }, { deps }) {
    return jobAnswer(await findJob(deps.store, job_id));
  },
});

const jobWait = defineTool({
  name: "job_wait",
  toolset: "jobs",
  title: "Wait for a job",
  description:
    "Waits until a job has ended, at most timeout_ms milliseconds (25,000 by default, 50,000 at most), and answers with its result, or with its handle again where it is still at work: then call it again. Giving up waiting does not stop the job.",
  input: input.extend({ timeout_ms: z.int().min(0).max(longestWait).default(25_000) }),
  output: anyJobAnswerSchema,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  async run({ job_id, timeout_ms }, context) {
    await findJob(context.deps.store, job_id);
    return deliverJob(context, parseJobId(job_id), timeout_ms);
  },
});

const jobCancel = defineTool({
  name: "job_cancel",
  toolset: "jobs",
  title: "Cancel a job's run",
  description:
    "Stops a job that has not ended, by cancelling its whole run: everything under way for that run is aborted, finished steps stay. A job that has ended is left as it is. resume_run sets the run in motion again.",
  input,
  output: anyJobAnswerSchema,
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  async run({ job_id }, { deps }) {
    const job = parseJobId(job_id);
    const before = await findJob(deps.store, job_id);
    if (isUnfinished(before)) await cancelRun(deps, job.runId);
    return { ...jobAnswer(await lookAtJob(deps.store, job)), isError: false };
  },
});

/** So many jobs are listed; a run has one for each of its steps. */
const jobsShown = 100;

const jobList = defineTool({
  name: "job_list",
  toolset: "jobs",
  title: "List a run's jobs",
  description:
    "Lists the jobs of a run with their ids and states, for instance after an answer was lost. Only each step's newest job is listed; jobs that wait in the queue for their first worker are not known yet.",
  input: z.object({ run_id: runIdSchema }).strict(),
  output: z.object({
    run_id: z.string(),
    jobs: z.array(
      z.object({
        job_id: z.string(),
        capability: z.string(),
        status: anyJobAnswerSchema.shape["status"] as z.ZodEnum,
      }),
    ),
    total: z.int(),
  }),
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  async run({ run_id }, { deps }) {
    const steps = [...(await openLedger(deps.store, run_id).load()).steps.values()];
    const jobs = [];
    for (const step of steps.slice(-jobsShown)) {
      const job = jobOfStep(run_id, step);
      if (job === null) continue;
      const { job_id, capability, status } = await lookAtJob(deps.store, job);
      jobs.push({ job_id, capability, status });
    }
    return {
      text: [`run_id: ${run_id}`, ...jobs.map(({ job_id, status }) => `${job_id}: ${status}`)].join("\n"),
      structured: { run_id, jobs, total: steps.length },
    };
  },
});

/** The tools that follow jobs. */
export function jobTools(): Tool[] {
  return [jobGet, jobWait, jobCancel, jobList];
}
