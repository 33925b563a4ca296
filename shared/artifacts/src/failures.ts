import { type ErrorCode, isProofroomError, ProofroomError } from "@proofroom/contracts";

/** What an aborted signal means: the reason itself where it is ours, else `cancelled`. */
export function cancelled(signal: AbortSignal): ProofroomError {
  const reason: unknown = signal.reason;
  if (isProofroomError(reason)) return reason;
  return new ProofroomError({ code: "cancelled", message: "The work was cancelled.", cause: reason });
}

/** @throws ProofroomError cancelled */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw cancelled(signal);
}

export function hasCode(error: unknown, code: ErrorCode): boolean {
  return isProofroomError(error) && error.code === code;
}

export function conflict(message: string, cause?: unknown): ProofroomError {
  return new ProofroomError({ code: "conflict", message, cause });
}

export function notFound(cause?: unknown): ProofroomError {
  return new ProofroomError({ code: "not_found", message: "There is no such object in the store.", cause });
}

/** A key whose folder is an object, or that is itself the folder of objects: not every store can keep both. */
export function keyInTheWay(cause?: unknown): ProofroomError {
  return new ProofroomError({
    code: "invalid_input",
    message: "An object stands where this key needs a folder, or a folder where it needs an object.",
    cause,
  });
}
