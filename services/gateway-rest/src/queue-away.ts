import { isProofroomError, ProofroomError } from "@proofroom/contracts";

/**
 * Waits for something that asks Redis by itself.
 * @throws ProofroomError dependency_down where it cannot be reached
 */
export async function reaching<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (isProofroomError(cause)) throw cause;
    throw new ProofroomError({
      code: "dependency_down",
      message: "The queue (Redis) cannot be reached.",
      remedy: "Try again when it is back; what was recorded stands.",
      cause,
    });
  }
}
