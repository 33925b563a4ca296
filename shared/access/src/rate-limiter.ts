/** Callers kept at most; those that have nothing to wait for are dropped first, then the oldest. */
const callersKept = 10_000;

/** How many seconds' worth of requests may come at once. */
const burstSeconds = 2;

interface Bucket {
  tokens: number;
  /** When it was last counted, in milliseconds. */
  at: number;
}

export interface RateLimiter {
  /** Counts one request of a caller; answers 0, or after how many seconds the next will be taken. */
  take(caller: string, now: number): number;
}

/** Token buckets, one per caller: each holds two seconds' worth of requests, one at least, and gains `perSecond`. */
export function createRateLimiter(perSecond: number): RateLimiter {
  const burst = Math.max(perSecond * burstSeconds, 1);
  const buckets = new Map<string, Bucket>();

  function tokensOf({ tokens, at }: Bucket, now: number): number {
    return Math.min(burst, tokens + (Math.max(now - at, 0) / 1_000) * perSecond);
  }

  function makeRoom(now: number): void {
    for (const [caller, bucket] of buckets) if (tokensOf(bucket, now) >= burst) buckets.delete(caller);
    for (const caller of buckets.keys()) {
      if (buckets.size < callersKept) return;
      buckets.delete(caller);
    }
  }

  return {
    take(caller, now) {
      if (buckets.size >= callersKept && !buckets.has(caller)) makeRoom(now);
      const tokens = tokensOf(buckets.get(caller) ?? { tokens: burst, at: now }, now);
      buckets.set(caller, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
      return tokens >= 1 ? 0 : (1 - tokens) / perSecond;
    },
  };
}
