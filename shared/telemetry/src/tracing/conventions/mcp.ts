import type { SpanStart } from "../tracing.ts";

// After the semantic conventions for MCP, which are still in development: their names stand here and nowhere else.

export interface ToolCall {
  tool: string;
  requestId: string | number | undefined;
  sessionId: string | undefined;
  /** What the client is part of, from `_meta` of its message. */
  traceparent: string | undefined;
}

/** A call of a tool, as its server sees it. */
export function toolCallSpan({ tool, requestId, sessionId, traceparent }: ToolCall): SpanStart {
  return {
    name: `tools/call ${tool}`,
    kind: "server",
    parent: traceparent,
    attributes: {
      "mcp.method.name": "tools/call",
      "mcp.session.id": sessionId,
      "jsonrpc.request.id": requestId === undefined ? undefined : String(requestId),
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": tool,
    },
  };
}

/** The kind of failure of a tool that answered with an error. */
export const toolError = "tool_error";
