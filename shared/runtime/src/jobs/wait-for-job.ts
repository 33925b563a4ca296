import { setTimeout as pause } from "node:timers/promises";
import type { ObjectStore } from "@proofroom/artifacts";
import { describeJob, type JobDescription } from "./describe-job.ts";
import type { JobRef } from "./job-ref.ts";

export interface WaitOptions {
  /** Gives up, without an error, after so many milliseconds. */
  timeoutMs?: number;
  signal: AbortSignal;
  /** Puts the job in again from time to time, in case Redis lost it. */
  resubmit?(): Promise<unknown>;
}

/** How often the ledger is asked, and how often the job is put in again; milliseconds. */
const askEvery = 100;
const resubmitEvery = 2_000;

const ended: ReadonlySet<JobDescription["status"]> = new Set(["succeeded", "failed", "cancelled"]);

/**
 * Waits until a job has ended, or the time is over; answers what it is then.
 * @throws the signal's reason when it aborts
 */
export async function waitForJob(
  store: ObjectStore,
  job: JobRef,
  options: WaitOptions,
): Promise<JobDescription> {
  const end = performance.now() + (options.timeoutMs ?? Number.POSITIVE_INFINITY);
  let resubmitted = performance.now();
  for (;;) {
    const description = await describeJob(store, job);
    if (ended.has(description.status) || performance.now() >= end) return description;
    if (options.resubmit !== undefined && performance.now() - resubmitted > resubmitEvery) {
      await options.resubmit();
      resubmitted = performance.now();
    }
    await pause(askEvery, undefined, { signal: options.signal });
  }
}
