import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../main.ts", import.meta.url));

interface Message {
  id?: number;
  result?: Record<string, unknown> & { isError?: boolean; content?: { text?: string }[] };
}

export interface McpOptions {
  home: string;
  args?: readonly string[];
  env?: Record<string, string>;
}

export interface McpChild {
  readonly child: ChildProcess;
  /** What came over stdout and was no message. */
  readonly foreign: string[];
  readonly stderr: string;
  ask(method: string, params?: Record<string, unknown>): Promise<NonNullable<Message["result"]>>;
  /** The text of a tool's answer. */
  call(name: string, args?: Record<string, unknown>): Promise<string>;
  /** Closes its stdin and answers how it ended. */
  end(): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Starts `proofroom mcp` and says hello to it, with an environment that holds nothing else. */
export async function startMcp(options: McpOptions): Promise<McpChild> {
  const child = spawn(process.execPath, [main, "mcp", ...(options.args ?? [])], {
    cwd: options.home,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: options.home,
      PROOFROOM_HOME: options.home,
      PROOFROOM_NO_INSTALL: "1",
      ...options.env,
    },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const closed = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
  const foreign: string[] = [];
  const waiting = new Map<number, (message: Message) => void>();
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString("utf8");
  });
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = line.startsWith('{"') ? (JSON.parse(line) as Message) : undefined;
    if (message === undefined) foreign.push(line);
    else waiting.get(message.id ?? 0)?.(message);
  });
  let asked = 0;

  async function ask(method: string, params: Record<string, unknown> = {}) {
    asked += 1;
    const id = asked;
    const { promise, resolve, reject } = Promise.withResolvers<Message>();
    waiting.set(id, resolve);
    closed.then(() => reject(new Error(`it ended before it answered ${method}: ${stderr}`)));
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    const { result } = await promise;
    if (result === undefined) throw new Error(`${method} was refused`);
    return result;
  }

  await ask("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  });
  return {
    child,
    foreign,
    get stderr() {
      return stderr;
    },
    ask,
    async call(name, args = {}) {
      const { content } = await ask("tools/call", { name, arguments: args });
      return content?.[0]?.text ?? "";
    },
    async end() {
      child.stdin.end();
      const [code, signal] = await closed;
      return { code, signal };
    },
  };
}
