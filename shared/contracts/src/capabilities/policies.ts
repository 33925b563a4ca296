import type { CapabilityHints, CapabilityPolicy } from "../capability.ts";

const minute = 60_000;

/** Work on artifacts alone: quick, deterministic, nothing outside to wait for. */
export const localPolicy: CapabilityPolicy = {
  attempts: 3,
  timeoutMs: 2 * minute,
  backoffMs: 500,
  concurrency: 4,
};

/** A parent that waits for its children in the queue; its own time is the bookkeeping. */
export const parentPolicy: CapabilityPolicy = {
  attempts: 3,
  timeoutMs: 5 * minute,
  backoffMs: 500,
  concurrency: 8,
};

/** One outside system that may be slow, busy or gone. */
export const fetchPolicy: CapabilityPolicy = {
  attempts: 3,
  timeoutMs: 5 * minute,
  backoffMs: 1_000,
  concurrency: 4,
};

/** A model watches a video, for some minutes, in several parts where it is long. */
export const watchPolicy: CapabilityPolicy = {
  attempts: 3,
  timeoutMs: 30 * minute,
  backoffMs: 5_000,
  concurrency: 2,
};

/** A model writes or judges. */
export const modelPolicy: CapabilityPolicy = {
  attempts: 4,
  timeoutMs: 5 * minute,
  backoffMs: 2_000,
  concurrency: 4,
};

/** Code is run in a sandbox; one at a time uses the cores without disturbing the others' clocks. */
export const sandboxPolicy: CapabilityPolicy = {
  attempts: 2,
  timeoutMs: 10 * minute,
  backoffMs: 1_000,
  concurrency: 1,
};

/** Reads artifacts of the run and writes others; outside systems are not involved. */
export const localHints: CapabilityHints = {
  readOnly: false,
  destructive: false,
  idempotent: true,
  openWorld: false,
};

/** Talks to systems outside Proofroom. */
export const outsideHints: CapabilityHints = {
  readOnly: false,
  destructive: false,
  idempotent: true,
  openWorld: true,
};
