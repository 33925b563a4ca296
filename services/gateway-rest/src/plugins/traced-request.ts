import { httpStatus, serverSpan, type Tracing } from "@proofroom/telemetry";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Route } from "../routing/route.ts";

/** Answers a request in a span of its own, part of the trace that its client names: until the last of the answer is out. */
export function inServerSpan<T>(
  tracing: Tracing,
  { route, request, reply }: { route: Route; request: FastifyRequest; reply: FastifyReply },
  work: () => T,
): T {
  // Whoever looks after the gateway asks every few seconds.
  if (route.tag === "service") return work();
  const { traceparent } = request.headers;
  const named = typeof traceparent === "string" ? traceparent : undefined;
  const span = tracing.open(serverSpan(route.method, route.path, named));
  reply.raw.once("close", () => {
    const { statusCode } = reply;
    span.set(httpStatus(statusCode));
    if (statusCode >= 500) span.fail(String(statusCode));
    span.end();
  });
  return span.run(work);
}
