export interface RoundsOptions {
  rounds: number;
  /** Rounds before the first that counts. */
  warmUp: number;
  signal: AbortSignal;
}

/**
 * Measures several subjects in rounds, each subject once a round, starting with another one each time: neither a slow stretch of
 * the machine nor what the one before left behind favours any of them. Gives the results of each subject by round.
 * @throws the signal's reason, or what a subject throws
 */
export async function alternate<Name extends string, Result>(
  subjects: Readonly<Record<Name, () => Promise<Result>>>,
  { rounds, warmUp, signal }: RoundsOptions,
): Promise<Record<Name, Result[]>> {
  const names = Object.keys(subjects) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Result[]>;
  for (let round = -warmUp; round < rounds; round += 1) {
    const first = (round + warmUp) % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      signal.throwIfAborted();
      const result = await subjects[name]();
      if (round >= 0) results[name].push(result);
    }
  }
  return results;
}

/** Milliseconds that the work takes. */
export async function elapsedMs(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
