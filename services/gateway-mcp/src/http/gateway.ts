import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, isIP } from "node:net";
import { hostHeaderValidation, originValidation, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { isProofroomError, ProofroomError } from "@proofroom/contracts";
import type { GatewayOptions } from "../gateway-deps.ts";
import { createServerFactory } from "../mcp-server.ts";
import { parseToolsets } from "../toolsets.ts";
import { createKeyCheck } from "./api-keys.ts";

export interface HttpGatewayOptions extends Omit<GatewayOptions, "closing" | "toolsets"> {
  host: string;
  /** 0 takes any free one. */
  port: number;
  /** sha256 in hex of the keys that are let in; none is needed on loopback alone. */
  apiKeys: readonly string[];
  /** Names under which this gateway may be reached besides those of loopback, and from whose pages. */
  allowedHosts: readonly string[];
}

export interface HttpGateway {
  readonly url: string;
  /** Takes no more requests, has waiting calls answer with their handles, and ends after so many milliseconds. */
  close(graceMs: number): Promise<void>;
}

/** The largest request body, in bytes. */
const bodyLimit = 4 * 1024 * 1024;

/** Of what JSON-RPC leaves to servers: refused before any method was looked at. */
const refused = -32_000;
const invalidParams = -32_602;

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

function refuse(response: ServerResponse, status: number, message: string, code = refused): void {
  response.writeHead(status, {
    "content-type": "application/json",
    ...(status === 401 ? { "www-authenticate": 'Bearer realm="proofroom"' } : {}),
  });
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null }));
}

function urlOf(request: IncomingMessage): URL | null {
  return URL.parse(request.url ?? "/", "http://localhost");
}

/** The guard in front of `/mcp`: true where a request may pass; else it has been answered. */
function createGuard(options: HttpGatewayOptions) {
  const names = ["localhost", "127.0.0.1", "[::1]", ...options.allowedHosts];
  const hasHost = hostHeaderValidation(names);
  const hasOrigin = originValidation(names);
  const mayEnter = createKeyCheck(options.apiKeys);
  // Off loopback a key protects; which name a balancer or a cluster calls this by is known only where it was set.
  const checksHost = isLoopback(options.host) || options.allowedHosts.length > 0;

  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (checksHost && !hasHost(request, response)) return false;
    if (!hasOrigin(request, response)) return false;
    if (!mayEnter(request.headers.authorization)) {
      refuse(response, 401, "A bearer key is needed.");
      return false;
    }
    return true;
  };
}

/** Refuses a selection of toolsets that does not exist before a server is made for it. */
function hasKnownToolsets(url: URL, response: ServerResponse): boolean {
  try {
    parseToolsets(url.searchParams.get("tools"));
    return true;
  } catch (error) {
    if (!isProofroomError(error)) throw error;
    refuse(response, 400, `${error.message} ${error.remedy ?? ""}`.trim(), invalidParams);
    return false;
  }
}

/**
 * Serves MCP over streamable HTTP at `/mcp`, stateless and in both protocol eras: any replica answers any request.
 * `?tools=research,writer` narrows the toolsets. `/healthz` says that the process is up.
 * @throws ProofroomError not_configured for an address beyond loopback without keys
 */
export async function startHttpGateway(options: HttpGatewayOptions): Promise<HttpGateway> {
  if (!isLoopback(options.host) && options.apiKeys.length === 0) {
    throw new ProofroomError({
      code: "not_configured",
      message: "Beyond loopback the gateway needs keys.",
      remedy: "Set PROOFROOM_API_KEYS to the sha256 (hex) of each key, or listen on 127.0.0.1.",
    });
  }
  const { log } = options;
  const closing = new AbortController();
  const factory = createServerFactory({ ...options, closing: closing.signal });
  const report = (error: Error) => log.debug({ error: error.name }, "mcp");
  const handler = createMcpHandler(
    ({ era, requestInfo }) => {
      const tools = requestInfo === undefined ? null : new URL(requestInfo.url).searchParams.get("tools");
      return factory(era, parseToolsets(tools));
    },
    { responseMode: "sse", maxRequestBodySize: bodyLimit, onerror: report },
  );
  const mcp = toNodeHandler(handler, { maxRequestBodySize: bodyLimit, onerror: report });
  const mayPass = createGuard(options);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = urlOf(request);
    if (url?.pathname === "/healthz") {
      response.writeHead(200, { "content-type": "text/plain" }).end("ok\n");
      return;
    }
    if (url?.pathname !== "/mcp") return refuse(response, 404, "MCP is served at /mcp.");
    if (!mayPass(request, response) || !hasKnownToolsets(url, response)) return;
    // A server's requests always have both.
    await mcp(request as IncomingMessage & { method: string; url: string }, response);
  }

  const server = createServer((request, response) => {
    // A client that hangs up breaks its streams: that is its own affair.
    request.on("error", report);
    response.on("error", report);
    // A connection that becomes idle while the server closes would hold it up.
    response.once("close", () => {
      if (closing.signal.aborted) setImmediate(() => server.closeIdleConnections());
    });
    answer(request, response).catch((error: Error) => {
      log.error({ error: error.name }, "request failed");
      if (!response.headersSent) refuse(response, 500, "An unexpected error occurred.");
      else response.destroy();
    });
  });
  server.listen(options.port, options.host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const name = options.host.includes(":") ? `[${options.host}]` : options.host;

  return {
    url: `http://${name}:${port}/mcp`,
    async close(graceMs) {
      const ended = new Promise<void>((resolve) => server.close(() => resolve()));
      closing.abort(new DOMException("closing", "AbortError"));
      server.closeIdleConnections();
      const timer = setTimeout(() => {
        handler.close().catch(report);
        server.closeAllConnections();
      }, graceMs);
      await ended;
      clearTimeout(timer);
      await handler.close();
    },
  };
}
