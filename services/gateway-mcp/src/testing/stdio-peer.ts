import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { silentLogger } from "@proofroom/telemetry";
import { type StdioGateway, type StdioGatewayOptions, serveStdioGateway } from "../stdio/stdio-gateway.ts";

/** A request as a client of the legacy era opens with. */
export const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
} as const;

/** A message as it was parsed: what it holds is each test's to know. */
type Message = ReturnType<typeof JSON.parse>;

/** A gateway over a pair of streams in this process, and the client's ends of them. */
export interface StdioPeer {
  gateway: StdioGateway;
  input: PassThrough;
  send(message: object): void;
  /** The gateway's next message. */
  next(): Promise<Message>;
  /** Sends a request, and answers the next message. */
  ask(message: object): Promise<Message>;
}

/** Opens one; what the tools work with never opens unless a test says otherwise. */
export function openStdioPeer(options: Partial<StdioGatewayOptions> = {}): StdioPeer {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  const open = () => new Promise<never>(() => undefined);
  const gateway = serveStdioGateway({ open, log: silentLogger(), ...options, input, output });
  const send = (message: object) =>
    void input.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, ...message })}\n`);
  const next = async () => JSON.parse((await lines.next()).value ?? "");
  return {
    gateway,
    input,
    send,
    next,
    ask(message) {
      send(message);
      return next();
    },
  };
}
