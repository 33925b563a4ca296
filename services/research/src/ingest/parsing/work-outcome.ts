import { isProofroomError, ProofroomError, type PublicError, toPublicError } from "@proofroom/contracts";

/** The value of a piece of work, or the public part of the error it threw; `crash` is an error that no parser of ours has foreseen. */
export type WorkOutcome = { value: unknown } | { error: PublicError } | { crash: string };

/** Of too many arguments, too deep a recursion, too long a string. */
const tooMuch = new ProofroomError({
  code: "too_large",
  message: "The input is nested too deeply, or has more parts than can be read.",
  remedy: "Give a smaller or simpler file.",
});

export async function outcomeOf(work: () => unknown): Promise<WorkOutcome> {
  try {
    return { value: await work() };
  } catch (error) {
    if (isProofroomError(error)) return { error: toPublicError(error) };
    return error instanceof RangeError ? { error: toPublicError(tooMuch) } : { crash: String(error) };
  }
}
