/** A range names no more than this: longer ones are no citation. */
const longestRange = 20;

/** The numbers that a marker (`[1, 3–5]`) names, in its order; ranges in full. */
export function numbersOf(marker: string): number[] {
  const numbers: number[] = [];
  for (const [, first, last] of marker.matchAll(/(\d+)(?:\s*[–-]\s*(\d+))?/g)) {
    const from = Number(first);
    const to = last === undefined ? from : Math.min(Number(last), from + longestRange);
    for (let number = from; number <= to; number += 1) if (number > 0) numbers.push(number);
  }
  return numbers;
}
