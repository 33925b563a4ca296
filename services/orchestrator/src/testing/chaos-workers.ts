import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { endProcess } from "@proofroom/testing";

const main = fileURLToPath(new URL("./chaos-worker-process.ts", import.meta.url));

export interface WorkerSettings {
  root: string;
  marks: string;
  redis: string;
  seed: number;
  lockMs: number;
  sweepMs: number;
}

/** Worker processes that can be killed and frozen; the number of them stays the same. */
export interface ChaosWorkers {
  readonly size: number;
  /** Kills one as a crash would, and starts another in its place. */
  kill(index: number): Promise<void>;
  freeze(index: number): void;
  thaw(index: number): void;
  /** What they said on their way out, where that was not asked for. */
  readonly complaints: readonly string[];
  /** Ends all of them in order, and answers their exit codes. */
  close(): Promise<(number | null)[]>;
}

export async function startWorkers(count: number, settings: WorkerSettings): Promise<ChaosWorkers> {
  const complaints: string[] = [];
  let started = 0;

  async function start(): Promise<ChildProcess> {
    started += 1;
    const own = { ...settings, seed: settings.seed * 1_000 + started };
    const child = spawn(process.execPath, [main, JSON.stringify(own)], {
      env: { PATH: process.env["PATH"] ?? "" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stderr.on("data", (chunk: Buffer) => complaints.push(chunk.toString("utf8")));
    await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
    return child;
  }

  const workers = await Promise.all(Array.from({ length: count }, start));
  const at = (index: number) => workers[index % count] as ChildProcess;
  return {
    size: count,
    complaints,
    async kill(index) {
      await endProcess(at(index), "SIGKILL");
      workers[index % count] = await start();
    },
    freeze: (index) => void at(index).kill("SIGSTOP"),
    thaw: (index) => void at(index).kill("SIGCONT"),
    close: () =>
      Promise.all(
        workers.map((child) => {
          child.kill("SIGCONT");
          return endProcess(child);
        }),
      ),
  };
}
