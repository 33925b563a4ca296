/** The most arrivals that any stretch of that length holds; all in the same unit. */
export function mostWithin(arrivals: readonly number[], length: number): number {
  const sorted = [...arrivals].sort((one, other) => one - other);
  let most = 0;
  let from = 0;
  for (const [at, arrival] of sorted.entries()) {
    while (arrival - (sorted[from] ?? arrival) >= length) from += 1;
    most = Math.max(most, at - from + 1);
  }
  return most;
}
