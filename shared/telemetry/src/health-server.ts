import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface HealthOptions {
  host: string;
  /** 0 for any that is free. */
  port: number;
  /** Why the process has to be started anew; nothing where it has not. */
  faults(): readonly string[];
  /** Why it takes no work at the moment; nothing where it does. */
  obstacles(): readonly string[];
  /** In the text format of Prometheus. */
  metrics(): string | Promise<string>;
}

export interface HealthServer {
  /** Where it listens. */
  readonly url: string;
  close(): Promise<void>;
}

/** How long a client may take to ask, in milliseconds. */
const requestTimeout = 5_000;

export const prometheusMediaType = "text/plain; version=0.0.4; charset=utf-8";

function answer(response: ServerResponse, reasons: readonly string[]): void {
  const body = reasons.length === 0 ? { status: "ok" } : { status: "unavailable", reasons };
  response.writeHead(reasons.length === 0 ? 200 : 503, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/**
 * Serves `/livez` (also as `/healthz`), `/readyz` and `/metrics` of a process that has no other server.
 * @throws the error of the operating system, such as EADDRINUSE, where it cannot listen
 */
export async function createHealthServer(options: HealthOptions): Promise<HealthServer> {
  const life = (response: ServerResponse) => answer(response, options.faults());
  const answers: Readonly<Record<string, (response: ServerResponse) => void | Promise<void>>> = {
    "/livez": life,
    "/healthz": life,
    "/readyz": (response) => answer(response, options.obstacles()),
    "/metrics": async (response) => {
      const text = await options.metrics();
      response.writeHead(200, { "content-type": prometheusMediaType });
      response.end(text);
    },
  };
  const server = createServer({ requestTimeout, headersTimeout: requestTimeout }, (request, response) => {
    response.setHeader("connection", "close");
    response.setHeader("cache-control", "no-store");
    const known = answers[request.url?.split("?")[0] ?? ""];
    if (known === undefined) response.writeHead(404).end();
    else if (request.method !== "GET" && request.method !== "HEAD")
      response.writeHead(405, { allow: "GET, HEAD" }).end();
    else void Promise.resolve(known(response)).catch(() => response.destroy());
  });
  server.listen(options.port, options.host);
  await once(server, "listening");
  const { address, family, port } = server.address() as AddressInfo;
  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${port}`,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
