import { ProofroomError } from "@proofroom/contracts";

/**
 * Decodes the bytes of a guideline file as UTF-8 text. A byte order mark is dropped.
 *
 * @throws ProofroomError `invalid_input` for bytes that are not UTF-8 text (malformed sequences, NUL bytes).
 */
export function decodeGuideline(bytes: Uint8Array): string {
  if (bytes.includes(0)) throw notText("it contains NUL bytes");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw notText("it is not valid UTF-8");
  }
}

function notText(cause: string): ProofroomError {
  return new ProofroomError({
    code: "invalid_input",
    message: `The guideline is not a text file: ${cause}.`,
    remedy: "Save the guideline as a UTF-8 Markdown file.",
  });
}
