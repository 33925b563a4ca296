import { type Capability, ProofroomError, toPublicError } from "@proofroom/contracts";
import { UnrecoverableError } from "bullmq";

/** Longest wait between two attempts, in milliseconds. */
const longestDelay = 60_000;

/** What an execution ends with that was stopped, but that somebody is to repeat. */
export function interrupted(capability: Capability): ProofroomError {
  return new ProofroomError({
    code: "cancelled",
    message: `${capability.name} was interrupted.`,
    disposition: { kind: "retry" },
  });
}

/** Whether the work was interrupted (by a shutdown, a lost lock) rather than failed: another execution follows. */
export function isInterruption(error: ProofroomError): boolean {
  return error.code === "cancelled" && error.disposition.kind === "retry";
}

/** The same of what BullMQ has kept of a failure; a cancel is no verdict on the job either. */
export function wasInterrupted(reason: string): boolean {
  try {
    return (JSON.parse(reason) as { code?: unknown }).code === "cancelled";
  } catch {
    return false;
  }
}

/** Carries a failure into BullMQ: its public words only, since BullMQ stores the message in Redis. */
class JobFailure extends Error {
  readonly delayMs: number | undefined;

  constructor(error: ProofroomError) {
    super(JSON.stringify(toPublicError(error)));
    this.name = "JobFailure";
    this.delayMs = error.disposition.kind === "retry_after" ? error.disposition.delayMs : undefined;
  }
}

/** The one place that turns a disposition into what BullMQ understands. */
export function toBullError(error: ProofroomError): Error {
  if (error.disposition.kind === "fail") return new UnrecoverableError(JSON.stringify(toPublicError(error)));
  return new JobFailure(error);
}

/**
 * Delay before the next attempt, in milliseconds: the one that the other side asked for, else the first delay
 * doubled each time, with half of it left to chance so that jobs that failed together do not return together.
 */
export function backoffDelay(attemptsMade: number, firstDelayMs: number, error: unknown): number {
  const asked = error instanceof JobFailure ? error.delayMs : undefined;
  if (asked !== undefined) return Math.min(asked, longestDelay);
  const full = Math.min(firstDelayMs * 2 ** (attemptsMade - 1), longestDelay);
  return Math.round(full / 2 + Math.random() * (full / 2));
}
