import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type RunEvent, runEventSchema } from "@proofroom/contracts";

const main = fileURLToPath(new URL("../main.ts", import.meta.url));

export interface CliOptions {
  home: string;
  cwd?: string;
  env?: Record<string, string>;
  /** Nobody reads what it says on stdout: the pipe is closed. */
  unread?: boolean;
  /** Called once the process is there. */
  onStart?(child: ChildProcess): void;
  /** Called with each event, where the arguments hold `--events`. */
  onEvent?(event: RunEvent, child: ChildProcess): void;
}

export interface CliResult {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** Runs the real command line in a process of its own, with an environment that holds nothing else. */
export async function runCli(args: readonly string[], options: CliOptions): Promise<CliResult> {
  const child = spawn(process.execPath, [main, ...args], {
    cwd: options.cwd ?? options.home,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: options.home,
      PROOFROOM_HOME: options.home,
      PROOFROOM_NO_INSTALL: "1",
      ...options.env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  options.onStart?.(child);
  if (options.unread === true) child.stdout.destroy();
  const result: CliResult = { code: null, signal: null, stdout: "", stderr: "" };
  createInterface({ input: child.stdout }).on("line", (line) => {
    result.stdout += `${line}\n`;
    if (options.onEvent === undefined || !line.startsWith("{")) return;
    const event = runEventSchema.safeParse(JSON.parse(line));
    if (event.success) options.onEvent(event.data, child);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    result.stderr += chunk.toString("utf8");
  });
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  return { ...result, code, signal };
}
