/** In characters. */
const longest = 200;

/** A title as lists, and the name of the results' folder, can hold it: one line, without what steers a terminal. */
export function shortTitle(title: string): string {
  const line = title
    .replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\s]+/gu, " ")
    .trim()
    .slice(0, longest);
  return line.toWellFormed() || "Untitled";
}
