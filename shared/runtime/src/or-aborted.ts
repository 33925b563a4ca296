import { type Capability, isProofroomError, ProofroomError } from "@proofroom/contracts";
import { interrupted, WaitForChildren } from "@proofroom/queue";

/** Why the signal aborted. What ended for the worker's own reasons (shutdown, a lost lock) is for another to do. */
function aborted(signal: AbortSignal, capability: Capability): ProofroomError {
  if (isProofroomError(signal.reason)) return signal.reason;
  if (signal.reason instanceof DOMException && signal.reason.name === "TimeoutError") {
    return new ProofroomError({
      code: "timeout",
      message: `${capability.name} took longer than ${capability.policy.timeoutMs / 1_000} s.`,
    });
  }
  return interrupted(capability);
}

/** Ends with the work, or when the signal aborts: a handler that ignores its signal must not hold the worker. */
export async function orAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  capability: Capability,
): Promise<T> {
  let stop: (() => void) | undefined;
  const abort = new Promise<never>((_resolve, reject) => {
    stop = () => reject(aborted(signal, capability));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, abort]);
  } catch (error) {
    if (signal.aborted && !(error instanceof WaitForChildren)) throw aborted(signal, capability);
    throw error;
  } finally {
    if (stop !== undefined) signal.removeEventListener("abort", stop);
  }
}
