import type { ObjectStore } from "@proofroom/artifacts";
import { ProofroomError, type PublicError } from "@proofroom/contracts";
import { openLedger } from "../ledger.ts";
import { type JobRef, parseJobId } from "./job-ref.ts";

export interface JobDescription {
  job_id: string;
  run_id: string;
  capability: string;
  status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
  /** Names of the artifacts that it wrote. */
  artifacts: string[];
  output?: Record<string, unknown>;
  error?: PublicError;
}

/** What a job came to, from the ledger alone: Redis may have forgotten it. */
export async function describeJob(store: ObjectStore, job: JobRef): Promise<JobDescription> {
  const ledger = openLedger(store, job.runId);
  const step = { stepId: job.stepId, generation: job.generation };
  const common = { job_id: job.jobId, run_id: job.runId, capability: job.capability.name };
  const record = await ledger.record(step);
  if (record !== null) {
    const artifacts = record.writes.map(({ name }) => name);
    return { ...common, status: "succeeded", artifacts, output: record.output };
  }
  const error = await ledger.failure(step);
  if (error !== null) return { ...common, status: "failed", artifacts: [], error };
  const last = (await ledger.attempts(step)).at(-1);
  const cancelled = last?.error?.code === "cancelled";
  return {
    ...common,
    status: cancelled ? "cancelled" : last === undefined ? "queued" : "running",
    artifacts: [],
  };
}

/**
 * The same by the id that a client has.
 * @throws ProofroomError not_found where the run or the step does not exist
 */
export async function describeJobById(store: ObjectStore, id: string): Promise<JobDescription> {
  const job = parseJobId(id);
  const step = (await openLedger(store, job.runId).load()).steps.get(job.stepId);
  if (step !== undefined && job.generation > step.generation) {
    throw new ProofroomError({ code: "not_found", message: "There is no such job." });
  }
  return describeJob(store, job);
}
