/** In characters. */
const longest = 200;

/** A title as lists, and the name of a folder of results, can hold it: one line, without what steers a terminal. */
export function runTitle(text: string): string {
  const line = text
    .replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\s]+/gu, " ")
    .trim()
    .slice(0, longest)
    .trim();
  return line.toWellFormed() || "Untitled";
}

/** The first heading of a guideline, which names its run. */
export function titleOfGuideline(guideline: string): string {
  const heading = /^ {0,3}#{1,6}[ \t]+(?<text>[^\n]+)$/m.exec(guideline)?.groups?.["text"] ?? "";
  return runTitle(heading.replace(/(?:^|[ \t]+)#*\s*$/, ""));
}
