import type { PublicError } from "@proofroom/contracts";

/** An error in the text of an answer, whole: some clients hide what else an answer holds. */
export function errorLines({ code, message, remedy }: PublicError): string[] {
  return [`error: ${code}: ${message}`, ...(remedy === undefined ? [] : [`remedy: ${remedy}`])];
}
