import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

// The SDKs are large: only the tests that speak MCP load them.

const identity = { name: "test", version: "1" };

/** What a tool answered, as far as tests look at it. */
export interface Answer {
  isError?: boolean;
  content: { type: string; text?: string; uri?: string }[];
  structuredContent?: Record<string, unknown>;
}

export interface Peer {
  call(
    name: string,
    args: Record<string, unknown>,
    options?: { onprogress?: (update: { progress: number; message?: string }) => void; signal?: AbortSignal },
  ): Promise<Answer>;
  prompt(name: string, args: Record<string, string>): Promise<string>;
  read(uri: string): Promise<string>;
  tools(): Promise<string[]>;
  close(): Promise<void>;
}

interface AnyClient {
  callTool(params: { name: string; arguments: Record<string, unknown> }, ...rest: never[]): Promise<unknown>;
  getPrompt(params: { name: string; arguments: Record<string, string> }): Promise<unknown>;
  readResource(params: { uri: string }): Promise<unknown>;
  listTools(): Promise<{ tools: { name: string }[] }>;
  close(): Promise<void>;
}

function peer(client: AnyClient, optionsAt: 1 | 2): Peer {
  return {
    async call(name, args, options = {}) {
      const rest = optionsAt === 1 ? [options] : [undefined, options];
      return (await client.callTool({ name, arguments: args }, ...(rest as never[]))) as Answer;
    },
    async prompt(name, args) {
      const found = (await client.getPrompt({ name, arguments: args })) as {
        messages: { content: { text: string } }[];
      };
      return found.messages.map(({ content }) => content.text).join("\n");
    },
    async read(uri) {
      const found = (await client.readResource({ uri })) as { contents: { text?: string }[] };
      return found.contents.map(({ text }) => text ?? "").join("");
    },
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    close: () => client.close(),
  };
}

/** The client of SDK v1 over a transport of its own. */
export async function connectLegacy(transport: Transport): Promise<Peer> {
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const client = new Client(identity);
  await client.connect(transport);
  return peer(client as unknown as AnyClient, 2);
}

/** The client of SDK v1 over HTTP: revisions up to 2025-11-25. */
export async function connectLegacyHttp(url: string, fetch?: typeof globalThis.fetch): Promise<Peer> {
  const { StreamableHTTPClientTransport } = await import(
    "@modelcontextprotocol/sdk/client/streamableHttp.js"
  );
  const options = fetch === undefined ? {} : { fetch };
  return connectLegacy(new StreamableHTTPClientTransport(new URL(url), options) as unknown as Transport);
}

/** The client of SDK v1 over the stdin and stdout of a process that it starts and ends. */
export async function connectLegacyStdio(server: {
  command: string;
  args: readonly string[];
  cwd?: string;
  /** The whole environment of the process. */
  env: Record<string, string>;
  /** Told what came over stdout and is no message. */
  onUnparsable(error: Error): void;
}): Promise<Peer> {
  const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
  const { onUnparsable, args, ...rest } = server;
  const transport = new StdioClientTransport({ ...rest, args: [...args], stderr: "ignore" });
  const connected = await connectLegacy(transport);
  const before = transport.onerror;
  transport.onerror = (error) => {
    onUnparsable(error);
    before?.(error);
  };
  return connected;
}

/** The client of SDK v2 over HTTP, in the era of 2026-07-28. */
export async function connectModernHttp(url: string, fetch?: typeof globalThis.fetch): Promise<Peer> {
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const client = new Client(identity, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), fetch === undefined ? {} : { fetch }));
  return peer(client as unknown as AnyClient, 1);
}
