import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** A web server on loopback for tests. */
export interface LoopbackServer {
  /** `http://127.0.0.1:port` */
  base: string;
  port: number;
  /** What lifts the refusal of its private address. */
  allowHosts: ReadonlySet<string>;
  close(): Promise<void>;
}

/** Serves listeners by path; other paths are 404. */
export async function startLoopback(
  routes: Readonly<Record<string, RequestListener>>,
): Promise<LoopbackServer> {
  const server = createServer((request, response) => {
    const route = routes[request.url ?? ""];
    if (route === undefined) response.writeHead(404).end();
    else route(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    base: `http://127.0.0.1:${port}`,
    port,
    allowHosts: new Set([`127.0.0.1:${port}`]),
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
