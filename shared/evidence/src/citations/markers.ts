/** `[S4]`, `[S4, S2]`: a marker as writers set it. */
export const idMarker = /\[\s*S\d+(?:\s*[,;]\s*S\d+)*\s*\]/;
/** `[1]`, `[1, 3]`, `[1–3]`: a marker as readers see it. Footnotes (`[^1]`) and years are none. */
export const numberMarker = /\[\s*\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*\s*\]/;

/** A range names no more than this: longer ones are no citation. */
const longestRange = 20;

/** The numbers that a marker names, in its order; ranges in full. */
export function numbersOf(marker: string): number[] {
  const numbers: number[] = [];
  for (const [, first, last] of marker.matchAll(/(\d+)(?:\s*[–-]\s*(\d+))?/g)) {
    const from = Number(first);
    const to = last === undefined ? from : Math.min(Number(last), from + longestRange);
    for (let number = from; number <= to; number += 1) if (number > 0) numbers.push(number);
  }
  return numbers;
}
