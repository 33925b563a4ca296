/** Marks that change the direction of what follows. */
const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Foreign words as a fact of a source: one line without control characters, at most so long. */
export function plainWords(text: string, longest = 200): string {
  const line = text
    .replace(turning, "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return (line.length <= longest ? line : `${line.slice(0, longest - 1).trimEnd()}…`).toWellFormed();
}
