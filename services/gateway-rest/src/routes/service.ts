import { ProofroomError } from "@proofroom/contracts";
import { z } from "zod";
import type { AppDeps } from "../deps.ts";
import type { Metrics } from "../plugins/metrics.ts";
import { type Route, route } from "../routing/route.ts";

/** How long the queue and the store may take to answer before they count as away, in milliseconds. */
const patience = 2_000;

const okSchema = z.object({ status: z.literal("ok") });

/** Whether something answers in time. */
async function answers(work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), patience);
  });
  try {
    return await Promise.race([
      work.then(
        () => true,
        () => false,
      ),
      late,
    ]);
  } finally {
    clearTimeout(timer);
  }
}

/** The routes by which the service itself is looked at. */
export function serviceRoutes(
  { store, events }: Pick<AppDeps, "store" | "events">,
  metrics: Metrics,
): Route[] {
  return [
    route({
      method: "GET",
      path: "/healthz",
      id: "isAlive",
      tag: "service",
      summary: "Whether the process answers",
      access: "local",
      answers: { 200: { description: "It does.", schema: okSchema } },
      handle: async () => ({ status: "ok" }),
    }),
    route({
      method: "GET",
      path: "/readyz",
      id: "isReady",
      tag: "service",
      summary: "Whether the queue and the store answer",
      access: "local",
      answers: { 200: { description: "Both do.", schema: okSchema } },
      async handle() {
        // Neither name is anybody's: what counts is that the question is answered.
        const [queue, objects] = await Promise.all([
          answers(events.position("readiness")),
          answers(store.head("readiness")),
        ]);
        if (queue && objects) return { status: "ok" };
        const away = [...(queue ? [] : ["the queue (Redis)"]), ...(objects ? [] : ["the store"])];
        throw new ProofroomError({ code: "dependency_down", message: `Away: ${away.join(" and ")}.` });
      },
    }),
    route({
      method: "GET",
      path: "/metrics",
      id: "getMetrics",
      tag: "service",
      summary: "Counts and durations of requests",
      access: "local",
      answers: { 200: { description: "In the text format of Prometheus.", mediaType: "text/plain" } },
      handle: async ({ reply }) =>
        reply.header("content-type", "text/plain; version=0.0.4; charset=utf-8").send(metrics.text()),
    }),
  ];
}
