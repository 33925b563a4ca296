import { Client as ModernClient, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

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
  const client = new LegacyClient(identity);
  await client.connect(transport);
  return peer(client as unknown as AnyClient, 2);
}

/** The client of SDK v1 over HTTP: revisions up to 2025-11-25. */
export function connectLegacyHttp(url: string, fetch?: typeof globalThis.fetch): Promise<Peer> {
  const transport = new LegacyHttp(new URL(url), fetch === undefined ? {} : { fetch });
  return connectLegacy(transport as unknown as Transport);
}

/** The client of SDK v2 over HTTP, in the era of 2026-07-28. */
export async function connectModernHttp(url: string, fetch?: typeof globalThis.fetch): Promise<Peer> {
  const client = new ModernClient(identity, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), fetch === undefined ? {} : { fetch }));
  return peer(client as unknown as AnyClient, 1);
}
