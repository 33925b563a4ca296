import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface FakeGateway {
  readonly address: URL;
  /** What was asked, as `GET /path`, in order. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** An HTTP server on the loopback address that answers as it is told. */
export async function startFakeGateway(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<FakeGateway> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    request.resume();
    answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    asked,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
