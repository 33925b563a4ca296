import type { IncomingMessage, ServerResponse } from "node:http";
import { ProtocolErrorCode } from "@modelcontextprotocol/server";
import {
  type Caller,
  createFailureLimiter,
  createRateLimiter,
  isLocalRequest,
  openCaller,
  type RateLimiter,
} from "@proofroom/access";
import { isProofroomError } from "@proofroom/contracts";
import { createRequestMetrics, prometheusMediaType } from "@proofroom/telemetry";
import type { GatewayDeps } from "../gateway-deps.ts";
import { parseToolsets, type Toolset } from "../toolsets.ts";
import { type AuthenticationOptions, createAuthentication } from "./authentication.ts";
import { createHostGuard } from "./host-guard.ts";
import { createLargeBodies } from "./large-bodies.ts";
import type { OAuthSettings } from "./oauth/oauth-config.ts";
import { metadataPaths, resourceMetadata } from "./oauth/resource-metadata.ts";
import { readMessage } from "./read-message.ts";
import { createReadiness } from "./readiness.ts";
import { Refusal } from "./refusal.ts";
import type { TenantHandlers } from "./tenant-handlers.ts";

/** Bytes of large bodies that are at work at one time. */
const largeBodiesLimit = 64 * 1024 * 1024;

export interface RequestHandlerOptions extends AuthenticationOptions {
  deps: GatewayDeps;
  host: string;
  allowedHosts: readonly string[];
  oauth: OAuthSettings | null;
  ratePerSecond?: number | undefined;
  handlers: TenantHandlers;
}

/** What a count may name: whatever else a client chooses is none of them. */
const ownPaths: ReadonlySet<string> = new Set(["/mcp", "/livez", "/healthz", "/readyz", "/metrics"]);
const usualMethods: ReadonlySet<string> = new Set(["GET", "POST", "DELETE", "OPTIONS", "HEAD"]);

/** Refuses what no client asks, and no request of the Web's API can be made from. */
function assertUsual({ method, headers: { host }, url }: IncomingMessage): void {
  if (method === "TRACE") throw new Refusal({ status: 405, message: "Method not allowed." });
  if (!URL.canParse(`http://${host}${url}`))
    throw new Refusal({ status: 400, message: "That is no address." });
}

/** The selection of toolsets. @throws Refusal for one that does not exist, before a server is made for it */
function toolsetsOf(url: URL): ReadonlySet<Toolset> {
  try {
    return parseToolsets(url.searchParams.get("tools"));
  } catch (error) {
    if (!isProofroomError(error)) throw error;
    const message = `${error.message} ${error.remedy ?? ""}`.trim();
    throw new Refusal({ status: 400, code: ProtocolErrorCode.InvalidParams, message });
  }
}

/** @throws Refusal, from what it answers, where that caller sends too much */
function createLimit(limiter: RateLimiter | undefined): (caller: string) => void {
  if (limiter === undefined) return () => undefined;
  return (caller) => {
    const seconds = Math.ceil(limiter.take(caller, performance.now()));
    if (seconds === 0) return;
    const headers = { "retry-after": String(seconds) };
    throw new Refusal({ status: 429, message: `Too many requests: try again in ${seconds} s.`, headers });
  };
}

/**
 * Answers whatever comes over HTTP. A message is read only when it is known who sends it and that they may.
 * @throws Refusal, from what it answers
 */
export function createRequestHandler(
  options: RequestHandlerOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { oauth, handlers, ratePerSecond: rate } = options;
  const guard = createHostGuard(options);
  const callerOf = createAuthentication(options);
  const limit = createLimit(rate === undefined ? undefined : createRateLimiter(rate));
  const limitRefused = createLimit(rate === undefined ? undefined : createFailureLimiter(rate));
  const largeBodies = createLargeBodies(largeBodiesLimit);
  const whatIsAway = createReadiness(options.deps);
  const metadata = oauth === null ? new Set<string>() : metadataPaths(oauth.audience);
  let open = 0;
  const metrics = createRequestMetrics(() => open);

  /** @throws Refusal for one who may not ask */
  async function admit(request: IncomingMessage): Promise<Caller> {
    guard(request);
    assertUsual(request);
    return callerOf(request).catch((error: unknown) => {
      // Of the peer itself: what it says of whom it speaks for may be made up.
      if (error instanceof Refusal && error.status === 401) limitRefused(request.socket.remoteAddress ?? "");
      throw error;
    });
  }

  async function serve(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const caller = await admit(request);
    const who = caller === openCaller ? `from ${request.socket.remoteAddress}` : caller.id;
    limit(who);
    const toolsets = toolsetsOf(url);
    const leave = largeBodies.enter(request);
    try {
      const message = request.method === "POST" ? await readMessage(request) : undefined;
      // Of the legacy era: as many requests as it holds.
      if (Array.isArray(message)) for (const _ of message.slice(1)) limit(who);
      // What comes after has no use for it.
      delete request.headers.authorization;
      await handlers.of(caller.tenant)(request, response, { message, toolsets });
    } finally {
      leave();
    }
  }

  async function tellReadiness(response: ServerResponse): Promise<void> {
    const away = await whatIsAway();
    if (away.length > 0) throw new Refusal({ status: 503, message: `Away: ${away.join(" and ")}.` });
    response.writeHead(200, { "content-type": "text/plain" }).end("ok\n");
  }

  async function tellMetrics(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isLocalRequest(request)) await admit(request);
    response.writeHead(200, { "content-type": prometheusMediaType }).end(metrics.text());
  }

  /** Counts a request when it is through: an answer may be a stream. */
  function count(path: string, { method = "OTHER" }: IncomingMessage, response: ServerResponse): void {
    const at = performance.now();
    const route = ownPaths.has(path) ? path : metadata.has(path) ? "metadata" : "none";
    open += 1;
    response.once("close", () => {
      open -= 1;
      const seconds = (performance.now() - at) / 1_000;
      metrics.answered({
        method: usualMethods.has(method) ? method : "OTHER",
        route,
        status: response.statusCode,
        seconds,
      });
    });
  }

  return async (request, response) => {
    const url = URL.parse(request.url ?? "/", "http://localhost");
    const path = url?.pathname ?? "";
    count(path, request, response);
    if (path === "/livez" || path === "/healthz")
      response.writeHead(200, { "content-type": "text/plain" }).end("ok\n");
    else if (path === "/metrics") await tellMetrics(request, response);
    else if (path === "/readyz") await tellReadiness(response);
    else if (oauth !== null && metadata.has(path)) {
      // Clients that run in a page read it too; it is the same for everybody.
      const headers = { "content-type": "application/json", "access-control-allow-origin": "*" };
      response.writeHead(200, headers).end(JSON.stringify(resourceMetadata(oauth)));
    } else if (url === null || path !== "/mcp") {
      throw new Refusal({ status: 404, message: "MCP is served at /mcp." });
    } else await serve(url, request, response);
  };
}
