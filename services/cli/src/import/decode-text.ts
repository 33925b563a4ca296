import { ProofroomError } from "@proofroom/contracts";

/**
 * The text of a file, with `\n` line endings and without byte order mark.
 * @throws ProofroomError invalid_input where it is not UTF-8 text
 */
export function decodeText(bytes: Uint8Array, name: string): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text.replace(/\r\n?/g, "\n");
  } catch {
    // The same answer as for NUL bytes: no text.
  }
  throw new ProofroomError({
    code: "invalid_input",
    message: `${name} is not UTF-8 text.`,
    remedy: "Name the original in a guideline, so that it is read in its own format.",
  });
}
