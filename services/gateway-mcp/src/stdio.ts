import type { Readable, Writable } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { GatewayOptions } from "./gateway-deps.ts";
import { createServerFactory } from "./mcp-server.ts";

export interface StdioGatewayOptions extends GatewayOptions {
  /** Where messages come from and go to; nothing else may write to `output`. */
  input: Readable;
  output: Writable;
}

export interface StdioGateway {
  /** Resolves when the client has closed its end, or the output is broken. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves MCP over a pair of streams, in whichever protocol era the client opens. It answers at once: what the tools
 * work with is begun to be opened here, and waited for by the first tool that needs it.
 */
export function serveStdioGateway(options: StdioGatewayOptions): StdioGateway {
  const { input, output, log } = options;
  const factory = createServerFactory(options);
  const ended = Promise.withResolvers<void>();
  for (const event of ["end", "close", "error"]) input.once(event, () => ended.resolve());
  for (const event of ["close", "error"]) output.once(event, () => ended.resolve());
  const handle = serveStdio(({ era }) => factory(era), {
    transport: new StdioServerTransport(input, output),
    onerror: (error) => log.debug({ error: error.name }, "stdio"),
  });
  return { ended: ended.promise, close: () => handle.close() };
}
