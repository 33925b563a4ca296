import { createRequestMetrics, type RequestMetrics } from "@proofroom/telemetry";
import type { FastifyInstance } from "fastify";
import type { Draining } from "./draining.ts";

/** Counts requests and their durations, by route: never by address, which a client chooses. */
export function installMetrics(app: FastifyInstance, draining: Pick<Draining, "open">): RequestMetrics {
  const metrics = createRequestMetrics(() => draining.open());
  app.addHook("onResponse", async (request, reply) => {
    const { url } = request.routeOptions;
    // Fastify takes no method that a client made up.
    metrics.answered({
      method: url === undefined ? "OTHER" : request.method,
      route: url ?? "none",
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1_000,
    });
  });
  return metrics;
}
