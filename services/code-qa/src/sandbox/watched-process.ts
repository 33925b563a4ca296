import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import { ProofroomError } from "@proofroom/contracts";
import { OutputCollector } from "./output-collector.ts";
import { processTree, residentBytes } from "./process-tree.ts";
import type { SandboxLimits, SandboxOutcome } from "./sandbox-driver.ts";

/** Milliseconds between two looks at the memory of a job. */
const WATCH_INTERVAL = 50;
/** Milliseconds that the output of a killed job may take to end. */
const CLOSE_GRACE = 2_000;

interface WatchedCommand {
  file: string;
  args: readonly string[];
  /** Contents that the command reads from file descriptors 3, 4, … */
  inputs: readonly (string | Uint8Array)[];
  limits: SandboxLimits;
  signal: AbortSignal;
  /** Whether the job has written more than it may; `pids` are its processes. */
  hasOverfilled(pids: readonly number[]): Promise<boolean>;
}

type Stop = "timeout" | "oom" | "output_limit" | "aborted";

/**
 * Starts a command in a process group of its own, with an empty environment and nothing on stdin, watches its time,
 * memory and output, and kills the whole group at a limit. Must not be called from a worker thread: the parent-death
 * signal that sandboxes rely on follows the thread.
 *
 * @throws ProofroomError `cancelled` when aborted, `sandbox_unavailable` where the command cannot be started
 */
export async function runWatched(command: WatchedCommand): Promise<SandboxOutcome> {
  const { limits, signal } = command;
  throwIfCancelled(signal);
  const started = performance.now();
  const child = spawn(command.file, command.args, {
    cwd: "/",
    env: {},
    detached: true,
    stdio: ["ignore", "pipe", "pipe", ...command.inputs.map(() => "pipe" as const)],
  });
  const stdout = new OutputCollector(limits.outputBytes, { keepEnd: false });
  const stderr = new OutputCollector(limits.outputBytes, { keepEnd: true });
  let stop: Stop | null = null;
  const end = (reason: Stop) => {
    stop ??= reason;
    killGroup(child);
  };
  const exited = waitForExit(child);
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  for (const [stream, collector] of [
    [child.stdout as Readable, stdout],
    [child.stderr as Readable, stderr],
  ] as const) {
    stream.on("data", (chunk: Buffer) => {
      collector.add(chunk);
      if (stdout.total + stderr.total > limits.floodBytes) end("output_limit");
    });
    stream.on("error", () => undefined);
  }
  feed(child, command.inputs);

  const onAbort = () => end("aborted");
  signal.addEventListener("abort", onAbort, { once: true });
  const clock = setTimeout(() => end("timeout"), limits.wallMs);
  const watch = watchResources(child, command, () => end("oom"));
  try {
    const { code, name } = await exited;
    await settle(closed);
    throwIfCancelled(signal);
    return {
      ...verdictOf(stop, code, name),
      stdout: stdout.text(),
      stderr: stderr.text(),
      truncated: stdout.truncated || stderr.truncated,
      ms: performance.now() - started,
    };
  } finally {
    clearTimeout(clock);
    watch.stop();
    signal.removeEventListener("abort", onAbort);
    killGroup(child);
    for (const stream of child.stdio) stream?.destroy();
  }
}

export function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) {
    throw new ProofroomError({ code: "cancelled", message: "The work was cancelled.", cause: signal.reason });
  }
}

function waitForExit(child: ChildProcess): Promise<{ code: number | null; name: string | null }> {
  return new Promise((resolve, reject) => {
    child.once("exit", (code, name) => resolve({ code, name }));
    child.once("error", (cause) =>
      reject(
        new ProofroomError({
          code: "sandbox_unavailable",
          message: "The sandbox could not be started.",
          cause,
        }),
      ),
    );
  });
}

function feed(child: ChildProcess, inputs: WatchedCommand["inputs"]): void {
  for (const [at, content] of inputs.entries()) {
    const stream = child.stdio[3 + at] as Writable | null | undefined;
    stream?.on("error", () => undefined);
    stream?.end(content);
  }
}

function killGroup(child: ChildProcess): void {
  // Once it has been waited for, the id may be another's.
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // The group is gone, which is what was wanted.
  }
}

/** Waits until nobody holds the output any more, which with a process namespace is when all are dead. */
async function settle(closed: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const grace = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_GRACE);
  });
  await Promise.race([closed, grace]);
  clearTimeout(timer);
}

function watchResources(
  child: ChildProcess,
  command: WatchedCommand,
  exceeded: () => void,
): { stop(): void } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    if (child.pid === undefined) return;
    const pids = await processTree(child.pid);
    const memory = await residentBytes(pids);
    const overfilled = await command.hasOverfilled(pids);
    if (stopped) return;
    if (memory > command.limits.memoryBytes || overfilled) exceeded();
    schedule();
  };
  const schedule = () => {
    timer = setTimeout(() => void look(), WATCH_INTERVAL);
  };
  schedule();
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

function verdictOf(
  stop: Stop | null,
  code: number | null,
  name: string | null,
): Pick<SandboxOutcome, "verdict" | "exit" | "signal"> {
  if (stop !== null && stop !== "aborted") return { verdict: stop, exit: null, signal: null };
  if (name !== null) return { verdict: "signal", exit: null, signal: name };
  if (code === 0) return { verdict: "ok", exit: 0, signal: null };
  // Shells and sandboxes report a signal n as 128 + n.
  const signal = signalName((code ?? 0) - 128);
  if (signal !== null) return { verdict: "signal", exit: code, signal };
  return { verdict: "error", exit: code, signal: null };
}

function signalName(number: number): string | null {
  const entry = Object.entries(constants.signals).find(([, value]) => value === number);
  return entry?.[0] ?? null;
}
