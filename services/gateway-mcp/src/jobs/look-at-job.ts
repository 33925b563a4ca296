import type { ObjectStore } from "@proofroom/artifacts";
import { ProofroomError } from "@proofroom/contracts";
import {
  describeJob,
  describeJobById,
  type JobDescription,
  type JobRef,
  parseJobId,
} from "@proofroom/runtime";
import { openLedger } from "@proofroom/runtime/records";

const unfinished: ReadonlySet<JobDescription["status"]> = new Set(["queued", "running"]);

export function isUnfinished(job: JobDescription): boolean {
  return unfinished.has(job.status);
}

/** Whether somebody has cancelled the run: none of its jobs goes on then. */
export async function isRunCancelled(store: ObjectStore, runId: string): Promise<boolean> {
  return (await openLedger(store, runId).outcome())?.status === "cancelled";
}

/** A job that had not ended when its run was cancelled is cancelled, whether a worker had begun it or not. */
async function withCancellation(store: ObjectStore, job: JobDescription): Promise<JobDescription> {
  const cancelled = isUnfinished(job) && (await isRunCancelled(store, job.run_id));
  return cancelled ? { ...job, status: "cancelled" } : job;
}

/** What a job has come to, from the store. */
export async function lookAtJob(store: ObjectStore, job: JobRef): Promise<JobDescription> {
  return withCancellation(store, await describeJob(store, job));
}

/**
 * What the job has come to whose id a client has.
 * @throws ProofroomError not_found; a first generation that waits for its first worker leaves no trace in the store, so a
 *   well-formed id of one counts as queued
 */
export async function findJob(store: ObjectStore, id: string): Promise<JobDescription> {
  const job = await describeJobById(store, id);
  const { runId, stepId, generation } = parseJobId(id);
  // A further generation is asked for in the ledger before it is submitted.
  if (
    job.status === "queued" &&
    generation > 1 &&
    !(await openLedger(store, runId).load()).steps.has(stepId)
  ) {
    throw new ProofroomError({ code: "not_found", message: "There is no such job." });
  }
  return withCancellation(store, job);
}
