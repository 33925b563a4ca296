import { isProofroomError, ProofroomError, type PublicError, toPublicError } from "@proofroom/contracts";

/**
 * The value of a piece of work, or the public part of the error it threw. `crash` is an error that no parser of ours has
 * foreseen: the input is to blame. `fault` is one that is ours, whatever the input.
 */
export type WorkOutcome = { value: unknown } | { error: PublicError } | { crash: string } | { fault: string };

/** Of too many arguments, too deep a recursion, too long a string or list: RangeErrors of V8, which have no codes. */
const tooMuchWords = /^(?:Maximum call stack|Invalid string length|Invalid array length)/;

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
    if (isMissingModule(error)) return { fault: String(error) };
    if (!(error instanceof RangeError)) return { crash: String(error) };
    return tooMuchWords.test(error.message) ? { error: toPublicError(tooMuch) } : { fault: String(error) };
  }
}

/** Some parsers load the package they need when they first need it. */
function isMissingModule(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
}
