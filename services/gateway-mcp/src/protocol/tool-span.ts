import { type ServerContext, TRACEPARENT_META_KEY } from "@modelcontextprotocol/server";
import { noTracing, type Tracing, toolCallSpan, toolError } from "@proofroom/telemetry";

/** What a message says of the trace that it is part of; HTTP can say it as well, for whatever stands between. */
function traceparentOf({ mcpReq, http }: ServerContext): string | undefined {
  const named = mcpReq._meta?.[TRACEPARENT_META_KEY];
  if (typeof named === "string") return named;
  return http?.req?.headers.get("traceparent") ?? undefined;
}

/** Calls a tool in a span of its own. */
export function inToolSpan<T>(
  tracing: Tracing = noTracing,
  { tool, context }: { tool: string; context: ServerContext },
  work: (fail: () => void) => Promise<T>,
): Promise<T> {
  const { mcpReq, sessionId } = context;
  const call = { tool, requestId: mcpReq.id, sessionId, traceparent: traceparentOf(context) };
  return tracing.span(toolCallSpan(call), async (span) => {
    const fail = () => span.fail(toolError);
    try {
      return await work(fail);
    } catch (error) {
      fail();
      throw error;
    }
  });
}
