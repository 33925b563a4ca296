import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ProtocolErrorCode } from "@modelcontextprotocol/server";
import { type ApiKey, assertProtected } from "@proofroom/access";
import { ProofroomError } from "@proofroom/contracts";
import type { GatewayDeps } from "../gateway-deps.ts";
import type { ServerFactoryOptions } from "../protocol/server.ts";
import type { OAuthSettings } from "./oauth/oauth-config.ts";
import { createTokenVerifier } from "./oauth/verify-token.ts";
import { Refusal, refuse } from "./refusal.ts";
import { createRequestHandler } from "./request-handler.ts";
import type { Patience } from "./stream-when-late.ts";
import { createTenantHandlers } from "./tenant-handlers.ts";

export interface HttpGatewayOptions
  extends Omit<ServerFactoryOptions, "open" | "closing" | "toolsets" | "directories"> {
  /** What the tools work with, with the store as it is; each caller gets their tenant's view of it. */
  deps: GatewayDeps;
  host: string;
  /** 0 takes any free one. */
  port: number;
  /** The keys that are let in, and whose they are. */
  apiKeys: readonly ApiKey[];
  /** The authorization server whose access tokens are let in. With neither keys nor it, everybody is, on loopback alone. */
  oauth?: OAuthSettings | null | undefined;
  /** How many requests a second one caller may send, on average; any number by default. */
  ratePerSecond?: number | undefined;
  /** When an answer that is late begins, and how often it says that it lives; a second and ten seconds by default. */
  patience?: Patience | undefined;
  /** Names under which this gateway may be reached besides those of loopback, and from whose pages. */
  allowedHosts: readonly string[];
}

export interface HttpGateway {
  readonly url: string;
  /** Takes no more requests, has waiting calls answer with their handles, and ends after so many milliseconds. */
  close(graceMs: number): Promise<void>;
}

/** How long a client may take to send its headers, and a whole request, in milliseconds. */
const headersTimeout = 15_000;
const requestTimeout = 120_000;

/**
 * Serves MCP over streamable HTTP at `/mcp`, stateless and in both protocol eras: any replica answers any request.
 * `?tools=research,writer` narrows the toolsets. `/livez` says that the process is up, `/readyz` that what the tools
 * work with answers, `/metrics` counts requests.
 * @throws ProofroomError not_configured for an address beyond loopback where nobody is asked who they are, and for one
 *   that is taken
 */
export async function startHttpGateway(options: HttpGatewayOptions): Promise<HttpGateway> {
  const { log, apiKeys, oauth = null } = options;
  assertProtected({ host: options.host, protectedBy: apiKeys.length > 0 || oauth !== null });
  const closing = new AbortController();
  const report = (error: Error) => log.debug({ error: error.name }, "mcp");
  const handlers = createTenantHandlers({ ...options, closing: closing.signal, report });
  const tokens = oauth === null ? null : await createTokenVerifier(oauth, log);
  const handle = createRequestHandler({ ...options, oauth, tokens, handlers });

  const server = createServer({ headersTimeout, requestTimeout }, (request, response) => {
    // A client that hangs up breaks its streams: that is its own affair.
    request.on("error", report);
    response.on("error", report);
    // A connection that becomes idle while the server closes would hold it up.
    response.once("close", () => {
      if (closing.signal.aborted) setImmediate(() => server.closeIdleConnections());
    });
    handle(request, response).catch((error: Error) => {
      if (!(error instanceof Refusal) && !request.destroyed)
        log.error({ error: error.name }, "request failed");
      if (response.headersSent) response.destroy();
      else if (error instanceof Refusal) refuse(response, error);
      else {
        const message = "An unexpected error occurred.";
        refuse(response, new Refusal({ status: 500, code: ProtocolErrorCode.InternalError, message }));
      }
    });
  });
  server.listen(options.port, options.host);
  await once(server, "listening").catch((cause: NodeJS.ErrnoException) => {
    throw new ProofroomError({
      code: "not_configured",
      message: `It cannot listen at ${options.host}, port ${options.port} (${cause.code}).`,
      remedy: "Choose another with PROOFROOM_MCP_HOST and PROOFROOM_MCP_PORT.",
      cause,
    });
  });
  const { port } = server.address() as AddressInfo;
  const name = options.host.includes(":") ? `[${options.host}]` : options.host;

  return {
    url: `http://${name}:${port}/mcp`,
    async close(graceMs) {
      const ended = new Promise<void>((resolve) => server.close(() => resolve()));
      closing.abort(new DOMException("closing", "AbortError"));
      server.closeIdleConnections();
      const timer = setTimeout(() => {
        handlers.close().catch(report);
        server.closeAllConnections();
      }, graceMs);
      await ended;
      clearTimeout(timer);
      await handlers.close();
    },
  };
}
