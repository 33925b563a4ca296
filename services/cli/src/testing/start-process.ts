import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { endProcess, untilServing } from "@proofroom/testing";

export interface StartedProcess {
  readonly child: ChildProcess;
  /** The line on stderr that said that it serves. */
  readonly ready: string;
  /** All lines on stderr so far. */
  readonly said: readonly string[];
  /** Tells it to end, if it has not, and kills it where it does not. */
  close(): Promise<void>;
}

/** Starts a TypeScript main with an environment that holds nothing else, and waits until a line on its stderr matches. */
export async function startProcess(options: {
  main: string;
  args?: readonly string[];
  env: Record<string, string>;
  readyWhen: RegExp;
}): Promise<StartedProcess> {
  const child = spawn(process.execPath, [options.main, ...(options.args ?? [])], {
    env: { PATH: process.env["PATH"] ?? "", ...options.env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const said: string[] = [];
  const { promise, resolve } = Promise.withResolvers<string>();
  createInterface({ input: child.stderr }).on("line", (line) => {
    said.push(line);
    if (options.readyWhen.test(line)) resolve(line);
  });
  const ready = await untilServing(child, promise, () => said.join("\n"));
  return {
    child,
    ready,
    said,
    close: async () => void (await endProcess(child)),
  };
}
