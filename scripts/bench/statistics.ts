/** The middle of the values; of an even number of them, the mean of the two in the middle. @throws RangeError without any */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined) throw new RangeError("There is no median of no values.");
  return (lower + upper) / 2;
}

/**
 * How many times as much `values` are as `base`: the median over the rounds of the ratio within a round. Both members of a round
 * were measured in the same moments, so that what else the machine did weighs on both.
 */
export function pairedRatio(values: readonly number[], base: readonly number[]): number {
  if (values.length !== base.length) throw new RangeError("Each value needs a base of the same round.");
  return median(values.map((value, round) => value / (base[round] ?? Number.NaN)));
}

/** The smallest of the values below which, itself included, lies this share of them (nearest rank). @throws RangeError without any */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  const found = sorted[Math.max(Math.ceil(sorted.length * share) - 1, 0)];
  if (found === undefined) throw new RangeError("There is no percentile of no values.");
  return found;
}
