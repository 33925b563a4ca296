import type {
  CallToolResult,
  McpServer,
  ServerContext,
  StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import { openProgress } from "../jobs/progress.ts";
import { type CallContext, callTool } from "../tools/call-tool.ts";
import { jsonSchemaOf } from "../tools/json-schema.ts";
import type { Tool, ToolAnswer } from "../tools/tool.ts";
import { inToolSpan } from "./tool-span.ts";

/** A tool with its schemas as they go over the wire, made once and used by every server. */
export interface AdvertisedTool {
  tool: Tool;
  inputSchema: StandardSchemaWithJSON;
  outputSchema: StandardSchemaWithJSON;
}

function advertised(json: Record<string, unknown>, validate: Validate): StandardSchemaWithJSON {
  return {
    "~standard": {
      version: 1,
      vendor: "proofroom",
      validate,
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}

type Validate = StandardSchemaWithJSON["~standard"]["validate"];

/** Arguments are checked where the tool is called, which tells errors as every tool does. */
export function advertise(tool: Tool): AdvertisedTool {
  return {
    tool,
    inputSchema: advertised(jsonSchemaOf(tool.input, "input"), (value) => ({ value })),
    outputSchema: advertised(jsonSchemaOf(tool.output, "output"), tool.output["~standard"].validate),
  };
}

/** A tool's answer as the protocol has it. */
export function toResult(answer: ToolAnswer): CallToolResult {
  const links = (answer.links ?? []).map((link) => ({ type: "resource_link" as const, ...link }));
  return {
    content: [{ type: "text", text: answer.text }, ...links],
    ...(Object.keys(answer.structured).length === 0 ? {} : { structuredContent: answer.structured }),
    ...(answer.isError === true ? { isError: true } : {}),
  };
}

/** The progress of a call under the client's token, which may be 0 or empty; null where it gave none. */
function progressOf(context: ServerContext) {
  const token = context.mcpReq._meta?.progressToken;
  if (token === undefined) return null;
  return openProgress(
    (update) =>
      context.mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken: token, ...update },
      }),
    context.mcpReq.signal,
  );
}

/** Offers a tool on a server; all calls work with the same. */
export function registerTool(
  server: McpServer,
  { tool, inputSchema, outputSchema }: AdvertisedTool,
  shared: Omit<CallContext, "signal" | "progress" | "client" | "trace">,
): void {
  const { readOnly, destructive, idempotent, openWorld } = tool.hints;
  server.registerTool(
    tool.name,
    {
      title: tool.title,
      description: tool.description,
      inputSchema,
      outputSchema,
      annotations: {
        title: tool.title,
        readOnlyHint: readOnly,
        destructiveHint: destructive,
        idempotentHint: idempotent,
        openWorldHint: openWorld,
      },
    },
    async (args, context) => {
      const progress = progressOf(context);
      try {
        const client = server.server.getClientVersion()?.name;
        const { signal } = context.mcpReq;
        const trace: CallContext["trace"] = (tracing, work) =>
          inToolSpan(tracing, { tool: tool.name, context }, async (fail) => {
            const answer = await work();
            if (answer.isError === true) fail();
            return answer;
          });
        return toResult(await callTool(tool, args, { ...shared, signal, progress, client, trace }));
      } finally {
        await progress?.close();
      }
    },
  );
}
