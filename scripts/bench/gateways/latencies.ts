import { percentile } from "../statistics.ts";

/** What one kind of request took, in milliseconds. */
export interface Latency {
  count: number;
  p50: number;
  p95: number;
  p99: number;
  most: number;
}

export interface Latencies {
  add(kind: string, ms: number): void;
  /** By kind; kinds that never came are not there. */
  summary(): Record<string, Latency>;
}

/** Keeps how long requests took, and sums it up. */
export function openLatencies(): Latencies {
  const kinds = new Map<string, number[]>();
  return {
    add(kind, ms) {
      const values = kinds.get(kind);
      if (values === undefined) kinds.set(kind, [ms]);
      else values.push(ms);
    },
    summary: () =>
      Object.fromEntries(
        [...kinds].map(([kind, values]) => [
          kind,
          {
            count: values.length,
            p50: percentile(values, 0.5),
            p95: percentile(values, 0.95),
            p99: percentile(values, 0.99),
            most: percentile(values, 1),
          },
        ]),
      ),
  };
}
