import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { decodeTraces, type ReceivedSpan } from "./decode-traces.ts";

/** A backend of traces on loopback, which takes what is OTLP in Protobuf and refuses everything else. */
export interface OtlpReceiver {
  /** `http://127.0.0.1:port` */
  readonly base: string;
  readonly spans: readonly ReceivedSpan[];
  /** Paths and headers of what arrived, in its order. */
  readonly requests: readonly {
    path: string;
    headers: Readonly<Record<string, string | string[] | undefined>>;
  }[];
  /** Everything that arrived, byte by byte. */
  bytes(): Buffer;
  close(): Promise<void>;
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const requests: { path: string; headers: Record<string, string | string[] | undefined> }[] = [];
  const bodies: Buffer[] = [];
  const server = createServer(async (incoming, response) => {
    try {
      const body = Buffer.concat(await Array.fromAsync(incoming as AsyncIterable<Buffer>));
      requests.push({ path: incoming.url ?? "", headers: incoming.headers });
      bodies.push(body);
      if (incoming.headers["content-type"] !== "application/x-protobuf") throw new Error("not Protobuf");
      spans.push(...decodeTraces(body));
      response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
    } catch {
      response.writeHead(400).end();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    bytes: () => Buffer.concat(bodies),
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
