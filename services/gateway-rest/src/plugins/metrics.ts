import { createCounter, createHistogram, gaugeText } from "@proofroom/telemetry";
import type { FastifyInstance } from "fastify";
import type { Draining } from "./draining.ts";

/** Upper bounds of the duration buckets, in seconds. */
const bounds = [0.005, 0.025, 0.1, 0.5, 2.5, 10, 30] as const;

export interface Metrics {
  /** All of them, in the text format of Prometheus. */
  text(): string;
}

/** Counts requests and their durations, by route: never by address, which a client chooses. */
export function installMetrics(app: FastifyInstance, draining: Pick<Draining, "open">): Metrics {
  const requests = createCounter("proofroom_http_requests_total", "Answered requests.");
  const durations = createHistogram(
    "proofroom_http_request_duration_seconds",
    "How long answers took.",
    bounds,
  );

  app.addHook("onResponse", async (request, reply) => {
    const { method, url } = request.routeOptions;
    const labels = { method: String(method ?? "OTHER"), route: url ?? "none" };
    requests.add({ ...labels, status: String(reply.statusCode) });
    durations.observe(labels, reply.elapsedTime / 1_000);
  });

  return {
    text: () =>
      gaugeText("proofroom_http_open_requests", "Requests under way.", [[{}, draining.open()]]) +
      requests.text() +
      durations.text(),
  };
}
