import type { HttpClient } from "./http-client.ts";

export type Era = "legacy" | "modern";

export interface McpAnswer {
  /** From the question to the end of the answer, in milliseconds. */
  ms: number;
  /** Null where it went wrong. */
  result: McpResult | null;
  /** What went wrong. */
  error?: string;
}

interface McpResult {
  isError?: boolean;
  resultType?: string;
  taskId?: string;
  structuredContent?: Record<string, unknown>;
}

export interface McpOptions {
  /** Asks for progress under this token. */
  token?: string;
  /** Declares the Tasks extension; modern only. */
  tasks?: boolean;
}

const legacyVersion = "2025-11-25";
const modernVersion = "2026-07-28";
const clientInfo = { name: "bench", version: "1" };

/** What the last message of an event stream holds. */
function lastMessage(text: string): { result?: McpResult; error?: { code: number } } {
  const at = text.lastIndexOf("\ndata: ");
  const line = text.slice(at === -1 ? text.indexOf("data: ") : at + 1).split("\n", 1)[0] ?? "";
  return JSON.parse(line.startsWith("data: ") ? line.slice("data: ".length) : text);
}

function envelope({ token, tasks = false }: McpOptions): Record<string, unknown> {
  return {
    "io.modelcontextprotocol/protocolVersion": modernVersion,
    "io.modelcontextprotocol/clientCapabilities": tasks
      ? { extensions: { "io.modelcontextprotocol/tasks": {} } }
      : {},
    "io.modelcontextprotocol/clientInfo": clientInfo,
    ...(token === undefined ? {} : { progressToken: token }),
  };
}

/** One request as it goes over the wire: what a client library costs is not measured. */
async function askMcp(
  http: HttpClient,
  url: string,
  era: Era,
  method: "initialize" | "tools/call",
  params: Readonly<Record<string, unknown>>,
  options: McpOptions = {},
): Promise<McpAnswer> {
  const { token } = options;
  const meta =
    era === "modern" ? envelope(options) : token === undefined ? undefined : { progressToken: token };
  const headers = {
    accept: "application/json, text/event-stream",
    ...(era === "legacy"
      ? { "mcp-protocol-version": legacyVersion }
      : {
          "mcp-protocol-version": modernVersion,
          "mcp-method": method,
          "mcp-name": String(params["name"]),
        }),
  };
  const body = { jsonrpc: "2.0", id: 1, method, params: { ...params, ...(meta && { _meta: meta }) } };
  const { status, text, ms } = await http.send({ url, method: "POST", headers, body });
  if (status !== 200) return { ms, result: null, error: status === 0 ? text : String(status) };
  const { result, error } = lastMessage(text);
  if (result === undefined) return { ms, result: null, error: `JSON-RPC ${error?.code}` };
  if (result.isError === true) return { ms, result: null, error: "tool error" };
  return { ms, result };
}

/** Calls a tool. */
export function callTool(
  http: HttpClient,
  url: string,
  era: Era,
  name: string,
  args: Readonly<Record<string, unknown>>,
  options: McpOptions = {},
): Promise<McpAnswer> {
  return askMcp(http, url, era, "tools/call", { name, arguments: args }, options);
}

/** How a client of the older era begins. */
export function initialize(http: HttpClient, url: string): Promise<McpAnswer> {
  return askMcp(http, url, "legacy", "initialize", {
    protocolVersion: legacyVersion,
    capabilities: {},
    clientInfo,
  });
}
