import { Agent, request } from "node:http";

interface HttpAnswer {
  /** 0 where no answer came; `text` then says why. */
  status: number;
  text: string;
  /** From the first byte of the question to the last of the answer, in milliseconds. */
  ms: number;
}

export interface HttpRequest {
  url: string;
  method: "GET" | "POST";
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  body?: unknown;
}

export interface HttpClient {
  /** Never fails: what went wrong is told as an answer. */
  send(request: HttpRequest): Promise<HttpAnswer>;
  close(): void;
}

/** An answer may take so long, in milliseconds. */
const patience = 60_000;

/** A client that keeps its connections, each for one question at a time, and costs little itself. */
export function openHttpClient(): HttpClient {
  const agent = new Agent({ keepAlive: true });
  return {
    send: ({ url, method, headers = {}, body }) =>
      new Promise((resolve) => {
        const start = performance.now();
        const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
        const end = (status: number, text: string) =>
          resolve({ status, text, ms: performance.now() - start });
        const call = request(
          url,
          {
            agent,
            method,
            timeout: patience,
            headers: {
              ...headers,
              ...(payload === undefined
                ? {}
                : { "content-type": "application/json", "content-length": payload.length }),
            },
          },
          (response) => {
            let text = "";
            response.setEncoding("utf8");
            response.on("data", (chunk: string) => {
              text += chunk;
            });
            response.once("end", () => end(response.statusCode ?? 0, text));
            response.once("error", (error) => end(0, error.message));
          },
        );
        call.once("timeout", () => call.destroy(new Error("no answer in time")));
        call.once("error", (error: NodeJS.ErrnoException) => end(0, error.code ?? error.message));
        call.end(payload);
      }),
    close: () => agent.destroy(),
  };
}
