import { type Agent, request as httpRequest } from "node:http";

export interface Sent {
  method: string;
  /** As it goes over the wire. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array | undefined;
}

export interface Received {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
}

/** Longer than any answer should take, in milliseconds. */
const patience = 20_000;

/** Sends a request as it is: no part of the address is put in order. Of an event stream only the beginning is read. */
export function send(url: string, agent: Agent, { method, path, headers, body }: Sent): Promise<Received> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
    const request = httpRequest(
      { hostname, port, method, path, agent, headers: { ...length, ...headers }, timeout: patience },
      (response) => {
        const chunks: Buffer[] = [];
        const done = () => {
          const { statusCode: status = 0 } = response;
          resolve({ status, headers: response.headers, body: Buffer.concat(chunks).toString("utf8") });
        };
        response.on("data", (chunk: Buffer) => {
          chunks.push(chunk);
          if (!response.headers["content-type"]?.startsWith("text/event-stream")) return;
          done();
          request.destroy();
        });
        response.on("end", done);
        response.on("error", reject);
      },
    );
    request.on("timeout", () => request.destroy(new Error(`${method} ${path} was not answered in time`)));
    request.on("error", reject);
    request.end(body);
  });
}
