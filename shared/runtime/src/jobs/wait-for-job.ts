import { setTimeout as pause } from "node:timers/promises";
import type { ObjectStore } from "@proofroom/artifacts";
import { openLedger } from "../ledger.ts";
import { describeIn, type JobDescription } from "./describe-job.ts";
import type { JobRef } from "./job-ref.ts";

export interface WaitOptions {
  /** Gives up, without an error, after so many milliseconds. */
  timeoutMs?: number;
  signal: AbortSignal;
  /** Puts the job in again from time to time, in case Redis lost it. */
  resubmit?(): Promise<unknown>;
}

/** The ledger is asked again after this share of the time waited, so that a short job is heard of soon and a long one costs little. */
const askShare = 1 / 5;

/** But no sooner and no later than after so many milliseconds. */
const askSoonest = 20;
const askLatest = 1_000;

/** How often the job is put in again, in milliseconds. */
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
  const ledger = openLedger(store, job.runId);
  const start = performance.now();
  const end = start + (options.timeoutMs ?? Number.POSITIVE_INFINITY);
  let resubmitted = start;
  for (;;) {
    const description = await describeIn(ledger, job);
    if (ended.has(description.status) || performance.now() >= end) return description;
    if (options.resubmit !== undefined && performance.now() - resubmitted > resubmitEvery) {
      await options.resubmit();
      resubmitted = performance.now();
    }
    const share = (performance.now() - start) * askShare;
    const next = Math.min(Math.max(share, askSoonest), askLatest, Math.max(end - performance.now(), 0));
    await pause(next, undefined, { signal: options.signal });
  }
}
