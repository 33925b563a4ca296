import type { ObjectStore } from "@proofroom/artifacts";
import { ProofroomError, type PublicError } from "@proofroom/contracts";
import { cancellationOf } from "../cancelled.ts";
import { type Ledger, openLedger } from "../ledger.ts";
import type { CalledJob } from "./call-capability.ts";
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
export function describeJob(store: ObjectStore, job: JobRef): Promise<JobDescription> {
  return describeIn(openLedger(store, job.runId), job);
}

/** The same from a ledger that is open already: what it has read is not read again. */
export async function describeIn(ledger: Ledger, job: JobRef): Promise<JobDescription> {
  const step = { stepId: job.stepId, generation: job.generation };
  const common = { job_id: job.jobId, run_id: job.runId, capability: job.capability.name };
  const [record, error] = await Promise.all([ledger.record(step), ledger.failure(step)]);
  // What was cancelled stays so, though an execution that had not heard of it finished later.
  if (error?.code === "cancelled") return { ...common, status: "cancelled", artifacts: [], error };
  if (record !== null) {
    const artifacts = record.writes.map(({ name }) => name);
    return { ...common, status: "succeeded", artifacts, output: record.output };
  }
  if (error !== null) return { ...common, status: "failed", artifacts: [], error };
  // None of a run's jobs goes on once it was cancelled, whether a worker had begun it or not.
  const [cancellation, attempts] = await Promise.all([cancellationOf(ledger, step), ledger.attempts(step)]);
  const status = cancellation !== null ? "cancelled" : attempts.length > 0 ? "running" : "queued";
  return { ...common, status, artifacts: [] };
}

/** What a job is that was called just now: one that is new waits, and the ledger need not be asked. */
export async function describeCalledJob(store: ObjectStore, job: CalledJob): Promise<JobDescription> {
  if (job.askedAt === null) return describeJob(store, job);
  const { jobId, runId, capability } = job;
  return { job_id: jobId, run_id: runId, capability: capability.name, status: "queued", artifacts: [] };
}

/**
 * The same by the id that a client has.
 * @throws ProofroomError not_found for one that nobody asked for: of what the orchestrator submits, before a worker has
 *   begun it
 */
export async function describeJobById(store: ObjectStore, id: string): Promise<JobDescription> {
  const job = parseJobId(id);
  const ledger = openLedger(store, job.runId);
  const found = await describeIn(ledger, job);
  if (found.status !== "queued" && found.status !== "cancelled") return found;
  const known =
    found.error !== undefined ||
    (await ledger.request(job)) !== null ||
    (await ledger.attempts(job)).length > 0;
  if (!known) throw new ProofroomError({ code: "not_found", message: "There is no such job." });
  return found;
}
