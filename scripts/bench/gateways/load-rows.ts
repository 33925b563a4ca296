import type { Row } from "../row.ts";
import type { Latency } from "./latencies.ts";

type LoadRow = Omit<Row, "name">;

/** One kind of request: its median, and how far the slow ones are from it. */
export function latencyRow(kind: string, { count, p50, p95, p99 }: Latency): LoadRow {
  const [upper, uppermost] = [p95, p99].map((ms) => ms.toFixed(ms < 10 ? 1 : 0));
  return {
    what: `${kind}, median`,
    value: p50,
    unit: "ms",
    detail: `95 %: ${upper}, 99 %: ${uppermost}, ${count} times`,
  };
}

/** What went wrong under load: nothing should. */
export function errorsRow(errors: Readonly<Record<string, number>>): LoadRow {
  const told = Object.entries(errors).map(([what, count]) => `${count} × ${what}`);
  return {
    what: "errors",
    value: Object.values(errors).reduce((sum, count) => sum + count, 0),
    unit: "answers",
    target: { atMost: 0 },
    ...(told.length === 0 ? {} : { detail: told.join(", ") }),
  };
}

/** How many requests were answered. */
export function requestsOf(latencies: Readonly<Record<string, Latency>>): number {
  return Object.values(latencies).reduce((sum, { count }) => sum + count, 0);
}

/** How many requests were answered each second. */
export function rateRow(
  what: string,
  latencies: Readonly<Record<string, Latency>>,
  seconds: number,
): LoadRow {
  return { what, value: requestsOf(latencies) / seconds, unit: "requests/s" };
}
