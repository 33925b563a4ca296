/** The colours and weights that our own lines hold. */
const style = String.raw`\u001b\[(?:[0-24]|22|3[0-9]|9[0-7])m`;
/** Control characters (C0 but tab and line feed, DEL, C1), and those that change the direction of text. */
const steering = String.raw`[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]`;
const pattern = new RegExp(`(${style})|${steering}`, "g");

/**
 * Text for a terminal: titles, names and messages come from files and sites of others, and must not move the cursor,
 * rename the window or turn lines around. Each character that could is shown as U+FFFD.
 */
export function plainText(text: string): string {
  return text.replace(pattern, (_, own: string | undefined) => own ?? "\ufffd");
}
