import type { FastifyInstance } from "fastify";
import type { Draining } from "./draining.ts";

/** Upper bounds of the duration buckets, in seconds. */
const bounds = [0.005, 0.025, 0.1, 0.5, 2.5, 10, 30] as const;

interface Series {
  count: number;
  seconds: number;
  buckets: number[];
}

export interface Metrics {
  /** All of them, in the text format of Prometheus. */
  text(): string;
}

/** Counts requests and their durations, by route: never by address, which a client chooses. */
export function installMetrics(app: FastifyInstance, draining: Pick<Draining, "open">): Metrics {
  const requests = new Map<string, number>();
  const durations = new Map<string, Series>();

  app.addHook("onResponse", async (request, reply) => {
    const route = `method="${request.routeOptions.method ?? "OTHER"}",route="${request.routeOptions.url ?? "none"}"`;
    const counted = `${route},status="${reply.statusCode}"`;
    requests.set(counted, (requests.get(counted) ?? 0) + 1);
    const seconds = reply.elapsedTime / 1_000;
    const series = durations.get(route) ?? { count: 0, seconds: 0, buckets: bounds.map(() => 0) };
    series.count += 1;
    series.seconds += seconds;
    series.buckets = series.buckets.map((n, at) => n + (seconds <= (bounds[at] ?? 0) ? 1 : 0));
    durations.set(route, series);
  });

  return {
    text() {
      const lines = [
        "# TYPE proofroom_http_open_requests gauge",
        `proofroom_http_open_requests ${draining.open()}`,
        "# TYPE proofroom_http_requests_total counter",
        ...[...requests].map(([labels, n]) => `proofroom_http_requests_total{${labels}} ${n}`),
        "# TYPE proofroom_http_request_duration_seconds histogram",
      ];
      const name = "proofroom_http_request_duration_seconds";
      for (const [labels, { count, seconds, buckets }] of durations) {
        lines.push(
          ...buckets.map((n, at) => `${name}_bucket{${labels},le="${bounds[at]}"} ${n}`),
          `${name}_bucket{${labels},le="+Inf"} ${count}`,
          `${name}_sum{${labels}} ${seconds}`,
          `${name}_count{${labels}} ${count}`,
        );
      }
      return `${lines.join("\n")}\n`;
    },
  };
}
