/** What comes over the wire, as far as tests look at it. */
export interface McpMessage {
  method?: string;
  params?: { progressToken?: unknown; progress?: number };
  result?: { structuredContent?: Record<string, unknown>; tools?: unknown[]; [key: string]: unknown };
  error?: { code: number; data?: unknown };
}

export const modernMcpVersion = "2026-07-28";

/** The envelope that every request of 2026-07-28 carries. */
export const mcpEnvelope = {
  "io.modelcontextprotocol/protocolVersion": modernMcpVersion,
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "wire", version: "1" },
};

export function postMcp(url: string, body: unknown, headers: Record<string, string>): Promise<Response> {
  const accept = "application/json, text/event-stream";
  return fetch(url, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", accept, ...headers },
  });
}

/** The messages of an answer as they come, whether it is a stream or one body. */
export async function* messagesOf(response: Response): AsyncGenerator<McpMessage> {
  const decoder = new TextDecoder();
  let rest = "";
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    rest += decoder.decode(chunk, { stream: true });
    if (!isStream) continue;
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line.startsWith("data:") && line.length > "data: ".length) yield JSON.parse(line.slice(5));
    }
  }
  if (!isStream) yield JSON.parse(rest);
}

export async function allMessages(response: Response): Promise<McpMessage[]> {
  return Array.fromAsync(messagesOf(response));
}

function postModern(
  url: string,
  method: string,
  params: Readonly<Record<string, unknown>>,
  capabilities: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const meta = { ...mcpEnvelope, "io.modelcontextprotocol/clientCapabilities": capabilities };
  const given = params["_meta"] as object | undefined;
  const body = { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: { ...given, ...meta } } };
  const name = String(params["name"] ?? params["uri"] ?? params["taskId"]);
  const own = { "mcp-protocol-version": modernMcpVersion, "mcp-method": method, "mcp-name": name };
  return postMcp(url, body, { ...own, ...headers });
}

/** One request of 2026-07-28 by a client with these capabilities; answers the last message, which holds its result. */
export async function askModern(
  url: string,
  method: string,
  params: Readonly<Record<string, unknown>>,
  capabilities: Readonly<Record<string, unknown>>,
): Promise<McpMessage> {
  return (await allMessages(await postModern(url, method, params, capabilities))).at(-1) ?? {};
}

/** One request of 2026-07-28, of a client that takes tasks and shows this token. */
export function postAs(
  url: string,
  token: string | null,
  method: string,
  params: Readonly<Record<string, unknown>>,
): Promise<Response> {
  const extensions = { "io.modelcontextprotocol/tasks": {} };
  const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
  return postModern(url, method, params, { extensions }, headers);
}

/** The same; answers the last message, which holds its result. */
export async function askAs(...request: Parameters<typeof postAs>): Promise<McpMessage> {
  return (await allMessages(await postAs(...request))).at(-1) ?? {};
}
