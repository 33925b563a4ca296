import type { ObjectStore } from "@proofroom/artifacts";
import { findCapability } from "@proofroom/contracts";
import { openLedger } from "../ledger.ts";
import { describeIn, type JobDescription } from "./describe-job.ts";
import { type JobRef, jobRefOf } from "./job-ref.ts";

/** Jobs are looked at this many at a time. */
const atOnce = 16;

/**
 * The jobs of a run that the ledger knows, each at the newest generation of its step, in the order of their ids. A step
 * whose capability the catalog no longer has is left out.
 * @throws ProofroomError not_found where there is no such run
 */
export async function listJobs(store: ObjectStore, runId: string): Promise<JobDescription[]> {
  const refs: JobRef[] = [];
  const ledger = openLedger(store, runId);
  for (const { stepId, generation } of (await ledger.load()).steps.values()) {
    const capability = findCapability(stepId.replace(/-[0-9a-f]{16}$/, ""));
    if (capability !== undefined) refs.push(jobRefOf(runId, stepId, generation, capability));
  }
  refs.sort((a, b) => (a.jobId < b.jobId ? -1 : 1));
  const jobs: JobDescription[] = [];
  for (let from = 0; from < refs.length; from += atOnce) {
    jobs.push(...(await Promise.all(refs.slice(from, from + atOnce).map((ref) => describeIn(ledger, ref)))));
  }
  return jobs;
}
