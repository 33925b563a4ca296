/** The parts of an entry's id: milliseconds and a count, both up to 64 bits; the count may be left out. */
function partsOf(id: string): [bigint, bigint] {
  const [time = "0", count = "0"] = id.split("-");
  return [BigInt(time), BigInt(count)];
}

/** Negative where the position `a` in an event log lies before `b`, 0 where they are one. */
export function comparePositions(a: string, b: string): number {
  const [timeA, countA] = partsOf(a);
  const [timeB, countB] = partsOf(b);
  if (timeA !== timeB) return timeA < timeB ? -1 : 1;
  if (countA === countB) return 0;
  return countA < countB ? -1 : 1;
}
