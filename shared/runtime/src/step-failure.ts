import {
  type Capability,
  isProofroomError,
  ProofroomError,
  type PublicError,
  toPublicError,
} from "@proofroom/contracts";
import { type Delivery, type EventLog, interrupted } from "@proofroom/queue";
import type { Logger } from "@proofroom/telemetry";
import { cancellationOf } from "./cancelled.ts";
import type { Ledger } from "./ledger.ts";
import type { StepRef } from "./ledger-keys.ts";

/** The error that a final failure in the ledger stands for. */
export function finalFailure({ code, message, remedy }: PublicError): ProofroomError {
  const disposition = { kind: "fail" } as const;
  return new ProofroomError({ code, message, disposition, ...(remedy === undefined ? {} : { remedy }) });
}

interface JudgedExecution {
  capability: Capability;
  ledger: Ledger;
  step: StepRef;
  signal: AbortSignal;
}

/**
 * Only the ledger can say that a run or a job was cancelled. A handler that ends so by itself has failed, and is not to be
 * repeated for ever; one that was cancelled before its run was set in motion again is repeated.
 */
export async function judge(
  error: ProofroomError,
  { capability, ledger, step, signal }: JudgedExecution,
): Promise<ProofroomError> {
  if (error.code !== "cancelled" || error.disposition.kind === "retry") return error;
  if ((await cancellationOf(ledger, step)) !== null) return error;
  if (signal.aborted) return interrupted(capability);
  return new ProofroomError({
    code: "internal",
    message: `${capability.name} gave up by itself.`,
    cause: error,
  });
}

/** Leaves a failure in the ledger and tells of it; answers it. An interruption is never final. */
export async function noteFailure(
  deps: { events: EventLog; log: Logger },
  ledger: Ledger,
  of: { ref: StepRef; attempt: string; delivery: Delivery },
  error: ProofroomError,
): Promise<ProofroomError> {
  const { run_id, step_id: step, parent } = of.delivery.job;
  const { disposition } = error;
  const waits = disposition.kind === "wait";
  const final =
    error.code !== "cancelled" && !waits && (of.delivery.lastAttempt || disposition.kind === "fail");
  deps.log.warn({ run_id, step, code: error.code, final, cause: causeOf(error) }, "step failed");
  const resumesAt = waits ? new Date(Date.now() + disposition.delayMs).toISOString() : undefined;
  await ledger.fail(of.ref, of.attempt, toPublicError(error), { final, resumesAt });
  if (parent === undefined && error.code !== "cancelled") {
    const type = waits ? "step.waiting" : final ? "step.failed" : "step.retrying";
    const until = resumesAt === undefined ? {} : { waiting_until: resumesAt };
    deps.events.publish({ run_id, step, type, error: toPublicError(error), ...until });
  }
  return error;
}

/** The kind and place of a foreign error, never its message: that may quote secrets or hostile text. */
function causeOf(error: ProofroomError): string | undefined {
  const cause = error.cause;
  if (!(cause instanceof Error) || isProofroomError(cause)) return undefined;
  const { name, message, stack = "" } = cause;
  // The message stands at the head of the stack, with lines of its own that may look like frames.
  const end = stack.indexOf(message);
  const frames = end === -1 ? [] : stack.slice(end + message.length).split("\n");
  return [name, ...frames.filter((line) => line.startsWith("    at ")).slice(0, 3)].join(" ");
}
