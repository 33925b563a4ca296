import type { ServerResponse } from "node:http";

/** Of what JSON-RPC leaves to servers: refused before any method was looked at. */
const refused = -32_000;

interface RefusalOptions {
  status: number;
  /** For the client; holds nothing that is secret. */
  message: string;
  /** Of JSON-RPC. */
  code?: number;
  headers?: Readonly<Record<string, string>>;
}

/** Why a request gets no further than HTTP. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor({ status, message, code = refused, headers = {} }: RefusalOptions) {
    super(message);
    this.name = "Refusal";
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** Answers it in JSON-RPC. */
export function refuse(response: ServerResponse, { status, code, message, headers }: Refusal): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null }));
}
