import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, type McpServerFactory } from "@modelcontextprotocol/server";
import { depsByTenant, type GatewayDeps } from "../gateway-deps.ts";
import { prepareServers, type ServerFactoryOptions } from "../protocol/server.ts";
import { withSubscriptions } from "../subscriptions/listen.ts";
import type { Toolset } from "../toolsets.ts";
import { type Patience, streamWhenLate } from "./stream-when-late.ts";

/** Below the time after which any proxy cuts a connection. */
const usualPatience = { beginMs: 1_000, aliveMs: 10_000 };

/** What a request asks for, read of it already. */
interface Asked {
  message: unknown;
  toolsets: ReadonlySet<Toolset>;
}

type MessageHandler = (request: IncomingMessage, response: ServerResponse, asked: Asked) => Promise<void>;

export interface TenantHandlers {
  of(tenant: string): MessageHandler;
  /** Ends whatever is under way. */
  close(): Promise<void>;
}

/**
 * Serves the protocol for each tenant apart: nothing that a tenant's servers hold, nor what they are told, is another's.
 * Every request has a server of its own.
 */
export function createTenantHandlers(
  options: Omit<ServerFactoryOptions, "open"> & {
    deps: GatewayDeps;
    closing: AbortSignal;
    patience?: Patience | undefined;
    report(error: Error): void;
  },
): TenantHandlers {
  const { report, patience = usualPatience } = options;
  const depsOf = depsByTenant(options.deps);
  const factoryFor = prepareServers(options);
  // The SDK hands a request's own address to the factory, and nothing else that we know of it.
  const toolsetsAsked = new AsyncLocalStorage<ReadonlySet<Toolset>>();
  const handlers = new Map<string, { handle: MessageHandler; close(): Promise<void> }>();

  function open(tenant: string) {
    const deps = depsOf(tenant);
    const factory = factoryFor(async () => deps);
    const serverOf: McpServerFactory = ({ era }) => factory(era, toolsetsAsked.getStore());
    const keepAliveMs = patience.aliveMs;
    const handler = withSubscriptions(createMcpHandler(serverOf, { onerror: report, keepAliveMs }), {
      factory: serverOf,
      deps,
      closing: options.closing,
      onerror: report,
    });
    const mcp = toNodeHandler(
      { fetch: (...request) => streamWhenLate(handler.fetch(...request), patience) },
      { onerror: report },
    );
    const handle: MessageHandler = (request, response, { message, toolsets }) =>
      toolsetsAsked.run(toolsets, () =>
        // A server's requests always have both.
        mcp(request as IncomingMessage & { method: string; url: string }, response, message),
      );
    return { handle, close: () => handler.close() };
  }

  return {
    of(tenant) {
      const found = handlers.get(tenant) ?? open(tenant);
      handlers.set(tenant, found);
      return found.handle;
    },
    async close() {
      await Promise.all([...handlers.values()].map((handler) => handler.close()));
    },
  };
}
