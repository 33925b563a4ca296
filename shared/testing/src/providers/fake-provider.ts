import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One request as it arrived. */
export interface ProviderRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
  /** The body as JSON. @throws SyntaxError */
  json(): unknown;
}

/** What the fake does with one request. */
export interface ScriptedAnswer {
  /** 200 where nothing else is said. */
  status?: number;
  headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON; pieces are sent as they come, so that a test decides how slowly. */
  body?: string | Uint8Array | object | AsyncIterable<string | Uint8Array>;
  /** Nothing is sent before this is through. */
  after?: Promise<unknown>;
  /** Where the socket is destroyed: before anything was sent, or when the body has been sent without its end. */
  cut?: "at_once" | "in_body";
}

export type Script = (
  request: ProviderRequest,
) => ScriptedAnswer | undefined | Promise<ScriptedAnswer | undefined>;

/** A provider on loopback that answers as it was told. */
export interface FakeProvider {
  /** `http://127.0.0.1:port` */
  readonly base: string;
  /** All requests so far, in the order of their arrival. */
  readonly requests: readonly ProviderRequest[];
  /** What the next requests are answered, one each, before the script is asked. */
  next(...answers: ScriptedAnswer[]): void;
  /** Requests that were answered nothing yet, at this moment and at most at any. */
  readonly open: { now: number; most: number };
  close(): Promise<void>;
}

/**
 * Starts a wire-level fake: what the product's own clients reach by their base URL. Requests take the answers of
 * `next` first, then what the script says; what neither knows is answered 404.
 */
export async function startFakeProvider(script: Script = () => undefined): Promise<FakeProvider> {
  const requests: ProviderRequest[] = [];
  const queue: ScriptedAnswer[] = [];
  const open = { now: 0, most: 0 };
  const server = createServer((incoming, response) => {
    // A client that goes away in the middle is what many tests are about.
    incoming.on("error", () => {});
    response.on("error", () => {});
    void serve(incoming, response);
  });

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    open.now += 1;
    open.most = Math.max(open.most, open.now);
    try {
      const request = await readRequest(incoming);
      requests.push(request);
      const answer = queue.shift() ?? (await script(request)) ?? { status: 404, body: {} };
      await send(response, answer);
    } catch {
      response.destroy();
    } finally {
      open.now -= 1;
    }
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    base: `http://127.0.0.1:${port}`,
    requests,
    open,
    next: (...answers) => void queue.push(...answers),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function readRequest(incoming: IncomingMessage): Promise<ProviderRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  const { pathname, searchParams } = new URL(incoming.url ?? "/", "http://fake");
  return {
    method: incoming.method ?? "",
    path: pathname,
    query: searchParams,
    headers: incoming.headers,
    text,
    json: () => JSON.parse(text),
  };
}

async function send(response: ServerResponse, answer: ScriptedAnswer): Promise<void> {
  const { status = 200, headers = {}, body = "", after, cut } = answer;
  await Promise.race([after, once(response, "close")]);
  if (cut === "at_once" || response.destroyed) {
    response.destroy();
    return;
  }
  response.writeHead(status, { "content-type": typeOf(body), ...headers });
  response.flushHeaders();
  for await (const piece of piecesOf(body)) {
    if (response.destroyed) return;
    await new Promise<void>((resolve) => response.write(piece, () => resolve()));
  }
  if (cut === "in_body") response.destroy();
  else response.end();
}

function isPieces(body: NonNullable<ScriptedAnswer["body"]>): body is AsyncIterable<string | Uint8Array> {
  return typeof body === "object" && Symbol.asyncIterator in body;
}

function typeOf(body: NonNullable<ScriptedAnswer["body"]>): string {
  const isJson = typeof body === "object" && !(body instanceof Uint8Array) && !isPieces(body);
  return isJson ? "application/json" : "text/plain; charset=utf-8";
}

function piecesOf(body: NonNullable<ScriptedAnswer["body"]>) {
  if (typeof body === "string" || body instanceof Uint8Array) return body.length === 0 ? [] : [body];
  return isPieces(body) ? body : [JSON.stringify(body)];
}
