import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { on, once } from "node:events";
import { fileURLToPath } from "node:url";
import { endWith } from "../end-with.ts";

/** What report-memory.cjs tells. */
interface Held {
  /** Of live objects, where all garbage was collected first. */
  heapMb: number;
  residentMb: number;
  /** File descriptors; 0 where the system is not Linux. */
  openFiles: number;
  /** Processor time so far. */
  cpuSeconds: number;
}

export interface Program {
  /** Where it listens; empty for a program that does not. */
  readonly url: string;
  /** What it holds now. */
  look(): Promise<Held>;
  /** What it holds once all garbage is collected. */
  collect(): Promise<Held>;
  /** Tells it to end, and waits until it has. */
  close(): Promise<void>;
}

export interface ProgramOptions {
  /** Path of its main file. */
  main: string;
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** What it says on stderr once it works; a first group is the address where it listens. */
  ready: RegExp;
  signal: AbortSignal;
}

const reportMemory = fileURLToPath(new URL("./report-memory.cjs", import.meta.url));

/** So much of what it says is kept, in characters. */
const saidLimit = 20_000;

/** A program may take so long to begin, and to answer what it holds; milliseconds. */
const patience = 30_000;

/**
 * Starts a program of the checkout as it is started everywhere, and waits until it works. What it holds can be asked for all
 * the same: that comes with a module that is loaded before it.
 * @throws Error where it ends before it works
 */
export async function startProgram({
  main,
  args = [],
  env = {},
  ready,
  signal,
}: ProgramOptions): Promise<Program> {
  signal.throwIfAborted();
  const child = spawn(process.execPath, ["--expose-gc", "--require", reportMemory, main, ...args], {
    // In a process group of its own: Ctrl-C of a terminal reaches the bench alone, which ends it in order.
    detached: true,
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  const release = endWith(signal, child);
  const ended = once(child, "close").finally(release);
  let said = "";
  const url = await new Promise<string>((resolve, reject) => {
    const failed = (why: string) => reject(new Error(`${main} ${why}: ${said.slice(-500)}`));
    const timer = setTimeout(() => failed("does not begin"), patience);
    child.stderr?.on("data", (data) => {
      said = (said + String(data)).slice(-saidLimit);
      const match = ready.exec(said);
      if (match === null) return;
      clearTimeout(timer);
      resolve(match[1] ?? "");
    });
    ended.then(([code]) => {
      clearTimeout(timer);
      failed(`ended with ${code}`);
    }, reject);
  }).catch(async (error: unknown) => {
    child.kill("SIGKILL");
    await ended;
    throw error;
  });

  return {
    url,
    look: () => ask(child, "look"),
    collect: () => ask(child, "collect"),
    async close() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function ask(child: ChildProcess, how: "look" | "collect"): Promise<Held> {
  const id = randomUUID();
  const signal = AbortSignal.timeout(patience);
  child.send({ id, how });
  for await (const [held] of on(child, "message", { signal, close: ["exit"] }))
    if (held.id === id) return held;
  throw new Error("a program that was asked what it holds has ended");
}
