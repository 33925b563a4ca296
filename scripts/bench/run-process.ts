import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { makeTempFolder } from "../../shared/testing/src/index.ts";
import { endWith } from "./end-with.ts";

export interface ProcessOptions {
  /** The folder that it runs in, and its home. */
  home: string;
  signal: AbortSignal;
  /** Called with each line on stdout, as it comes. */
  onLine?(line: string, child: ChildProcess): void;
}

interface Ended {
  code: number | null;
  stdout: string;
  wallSeconds: number;
}

export interface ProcessCost extends Ended {
  /** Of the process itself, its threads included. */
  cpuSeconds: number;
  /** Of the processes that it has started and waited for; 0 where the system is not Linux. */
  childrenSeconds: number;
  /** Of the process itself. */
  peakMb: number;
}

/** What report-cost.cjs writes. */
interface CostReport extends Pick<ProcessCost, "cpuSeconds" | "childrenSeconds"> {
  peakKiB: number;
}

const reportCost = fileURLToPath(new URL("./report-cost.cjs", import.meta.url));
const reportLoads = fileURLToPath(new URL("./report-loads.mjs", import.meta.url));

/** Runs Node with the arguments, and what it costs from start to end. @throws the signal's reason when interrupted */
export async function processCost(args: readonly string[], options: ProcessOptions): Promise<ProcessCost> {
  const { report, ...ended } = await run(["--require", reportCost, ...args], options);
  const { peakKiB, ...seconds }: CostReport = JSON.parse(report);
  return { ...ended, ...seconds, peakMb: peakKiB / 1024 };
}

/** Runs Node with the arguments; URLs of the modules that it loads from node_modules. Not for timing: each load is noted. */
export async function processLoads(
  args: readonly string[],
  options: ProcessOptions,
): Promise<Ended & { urls: string[] }> {
  const { report, ...ended } = await run(["--import", reportLoads, ...args], options);
  return { ...ended, urls: report.split("\n") };
}

async function run(args: readonly string[], options: ProcessOptions): Promise<Ended & { report: string }> {
  const { home, signal, onLine } = options;
  signal.throwIfAborted();
  const folder = await makeTempFolder();
  try {
    const file = join(folder.path, "report");
    const start = performance.now();
    // In a process group of its own: Ctrl-C of a terminal reaches this process alone, which passes it on once.
    const child = spawn(process.execPath, args, {
      cwd: home,
      detached: true,
      env: {
        PATH: process.env["PATH"],
        HOME: home,
        PROOFROOM_HOME: home,
        PROOFROOM_NO_INSTALL: "1",
        PROOFROOM_BENCH_REPORT: file,
      },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const release = endWith(signal, child);
    let stdout = "";
    createInterface({ input: child.stdout }).on("line", (line) => {
      stdout += `${line}\n`;
      onLine?.(line, child);
    });
    const [code] = (await once(child, "close").finally(release)) as [number | null];
    const wallSeconds = (performance.now() - start) / 1_000;
    signal.throwIfAborted();
    return { code, stdout, wallSeconds, report: await readFile(file, "utf8").catch(() => "") };
  } finally {
    await folder.close();
  }
}
