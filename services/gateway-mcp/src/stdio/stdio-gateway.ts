import type { Readable, Writable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { type JSONRPCMessage, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { prepareServers, type ServerFactoryOptions } from "../protocol/server.ts";
import { type ConnectionSubscriptions, createConnectionSubscriptions } from "../subscriptions/connection.ts";
import { MessageLines } from "./message-lines.ts";
import { openOnce } from "./open-once.ts";

export interface StdioGatewayOptions extends Omit<ServerFactoryOptions, "closing"> {
  /** Where messages come from and go to; nothing else may write to `output`. */
  input: Readable;
  output: Writable;
}

export interface StdioGateway {
  /** Resolves when the client has closed its end, or the output is broken. */
  readonly ended: Promise<void>;
  /** Has waiting calls answer with their handles, for so many milliseconds at the most, and ends. */
  close(graceMs: number): Promise<void>;
}

/** The largest message, in bytes: above what any tool takes, so that a tool says what is too large where it can. */
const messageLimit = 16 * 1024 * 1024;

/** The streams, with what is on its way: the requests that wait for their answers. */
class WatchedTransport extends StdioServerTransport {
  readonly #waiting = new Set<unknown>();
  readonly #idle: PromiseWithResolvers<void>[] = [];
  /** Resolves when it is closed, by whichever side. */
  readonly closed = Promise.withResolvers<void>();
  readonly #answered: () => void;
  readonly #subscriptions: ConnectionSubscriptions;
  readonly #input: Readable;
  readonly #lines: MessageLines;

  /** @param answered told after every answer */
  constructor(
    input: Readable,
    output: Writable,
    answered: () => void,
    subscriptions: ConnectionSubscriptions,
  ) {
    const lines = new MessageLines({ limit: messageLimit, onTooLong: (id) => this.#refuse(id) });
    super(lines, output, { maxBufferSize: messageLimit });
    this.#input = input;
    this.#lines = lines;
    this.#answered = answered;
    this.#subscriptions = subscriptions;
  }

  override async start(): Promise<void> {
    const deliver = this.onmessage;
    this.onmessage = (message) => {
      this.#subscriptions.hear(message);
      if ("method" in message && "id" in message && message.method !== "subscriptions/listen")
        this.#waiting.add(message.id);
      // What was cancelled is not answered.
      if ("method" in message && message.method === "notifications/cancelled")
        this.#settle(message.params?.["requestId"]);
      deliver?.(message);
    };
    await super.start();
    this.#input.on("error", (error) => this.onerror?.(error));
    this.#input.once("close", () => this.#lines.end());
    if (this.#input.readableEnded || this.#input.destroyed) this.#lines.end();
    else this.#input.pipe(this.#lines);
  }

  /** Tells that a message was too long: its request where it can be told, or else as JSON-RPC has it of no request. */
  #refuse(id: string | number | undefined): void {
    const message = `A message may have ${messageLimit} bytes at most.`;
    const error = { code: ProtocolErrorCode.InvalidRequest, message };
    this.send({ jsonrpc: "2.0", ...(id === undefined ? {} : { id }), error }).catch((thrown: Error) =>
      this.onerror?.(thrown),
    );
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await this.#subscriptions.readyFor(message);
    await super.send(message);
    if ("method" in message) return;
    this.#settle(message.id);
    this.#answered();
  }

  override async close(): Promise<void> {
    await super.close();
    this.#input.unpipe(this.#lines);
    // A standard input that is read keeps the process alive.
    if (this.#input.listenerCount("data") === 0) this.#input.pause();
    this.closed.resolve();
  }

  #settle(id: unknown): void {
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) for (const { resolve } of this.#idle.splice(0)) resolve();
  }

  /** Resolves when every request has its answer. */
  async idle(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const idle = Promise.withResolvers<void>();
    this.#idle.push(idle);
    await idle.promise;
  }
}

/**
 * Serves MCP over a pair of streams, in whichever protocol era the client opens. It answers at once: what the tools
 * work with begins to be opened after the first answer, and is waited for by the first tool that needs it.
 */
export function serveStdioGateway(options: StdioGatewayOptions): StdioGateway {
  const { input, output, log } = options;
  const open = openOnce(options.open);
  const closing = new AbortController();
  const factory = prepareServers({ ...options, closing: closing.signal })(open);
  const report = (error: Error) => log.debug({ error: error.name }, "stdio");
  const subscriptions = createConnectionSubscriptions(open, report);
  let begun = false;
  const answered = () => {
    if (begun) return;
    begun = true;
    // Whoever calls a tool learns why it failed.
    open().catch(() => undefined);
  };
  const transport = new WatchedTransport(input, output, answered, subscriptions);
  const handle = serveStdio(({ era }) => subscriptions.serve(factory(era), era), {
    transport,
    onerror: report,
  });
  return {
    ended: transport.closed.promise,
    async close(graceMs) {
      closing.abort(new DOMException("closing", "AbortError"));
      await Promise.race([
        transport.idle(),
        transport.closed.promise,
        pause(graceMs, undefined, { ref: false }),
      ]);
      subscriptions.end();
      await handle.close();
    },
  };
}
