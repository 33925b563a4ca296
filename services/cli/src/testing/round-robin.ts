import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface RoundRobin {
  readonly url: string;
  /** How many answers broke off. */
  readonly broken: number;
  close(): Promise<void>;
}

/**
 * A balancer without affinity: each request goes to the next upstream, and to the one after it where that takes no
 * connection. An answer that breaks off breaks off for the client.
 * @param onForwarded told of each request once it has been sent on whole
 */
export async function startRoundRobin(
  upstreams: readonly string[],
  onForwarded: (body: string, upstream: number) => void,
): Promise<RoundRobin> {
  let turn = 0;
  let broken = 0;

  function breakOff(outgoing: ServerResponse): void {
    broken += 1;
    outgoing.destroy();
  }

  async function forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = Buffer.concat(await Array.fromAsync(incoming as AsyncIterable<Buffer>));
    const attempt = (left: number) => {
      const upstream = turn++ % upstreams.length;
      const { hostname, port } = new URL(upstreams[upstream] ?? "");
      const { host: _host, ...headers } = incoming.headers;
      const options = { hostname, port, path: incoming.url, method: incoming.method, headers, agent: false };
      const sent = request(options, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
        answer.on("error", () => breakOff(outgoing));
      });
      sent.on("error", (error: NodeJS.ErrnoException) => {
        if (error.code === "ECONNREFUSED" && left > 0) attempt(left - 1);
        else breakOff(outgoing);
      });
      sent.end(body, () => onForwarded(body.toString("utf8"), upstream));
    };
    attempt(upstreams.length - 1);
  }

  const server = createServer((incoming, outgoing) => {
    forward(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${new URL(upstreams[0] ?? "").pathname}`,
    get broken() {
      return broken;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
