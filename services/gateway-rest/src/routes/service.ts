import { ProofroomError } from "@proofroom/contracts";
import { createQueueMetrics } from "@proofroom/queue";
import { whatIsAway } from "@proofroom/runtime";
import { prometheusMediaType, type RequestMetrics } from "@proofroom/telemetry";
import { z } from "zod";
import type { AppDeps } from "../deps.ts";
import { type Route, route } from "../routing/route.ts";

const okSchema = z.object({ status: z.literal("ok") });

/** The routes by which the service itself is looked at. */
export function serviceRoutes(
  {
    store,
    events,
    inspector,
    writes,
    now,
  }: Pick<AppDeps, "store" | "events" | "inspector" | "writes" | "now">,
  metrics: RequestMetrics,
): Route[] {
  const queues = inspector === undefined ? undefined : createQueueMetrics(inspector, now);
  const alive = (path: "/healthz" | "/livez", id: string) =>
    route({
      method: "GET",
      path,
      id,
      tag: "service",
      summary: "Whether the process answers",
      access: "local",
      answers: { 200: { description: "It does.", schema: okSchema } },
      handle: async () => ({ status: "ok" }),
    });
  return [
    alive("/livez", "isAlive"),
    // The name of old: probes may use it.
    alive("/healthz", "isHealthy"),
    route({
      method: "GET",
      path: "/readyz",
      id: "isReady",
      tag: "service",
      summary: "Whether the queue and the store answer",
      access: "local",
      answers: { 200: { description: "Both do.", schema: okSchema } },
      async handle() {
        const away = await whatIsAway({ store, events, writes });
        if (away.length === 0) return { status: "ok" };
        throw new ProofroomError({ code: "dependency_down", message: `Away: ${away.join(" and ")}.` });
      },
    }),
    route({
      method: "GET",
      path: "/metrics",
      id: "getMetrics",
      tag: "service",
      summary: "Counts and durations of requests, and how the queues stand",
      access: "local",
      answers: { 200: { description: "In the text format of Prometheus.", mediaType: "text/plain" } },
      async handle({ reply }) {
        const text = metrics.text() + ((await queues?.text()) ?? "");
        return reply.header("content-type", prometheusMediaType).send(text);
      },
    }),
  ];
}
