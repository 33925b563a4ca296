import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { z } from "zod";

/** A process, told from a later one that was given the same pid by when it was started. */
export const processIdentity = z.object({ pid: z.number().int().positive(), startedAt: z.string() });

export type ProcessIdentity = z.infer<typeof processIdentity>;

/** The identity of a running process; undefined where there is none (a zombie counts as none). */
export function identify(pid: number): ProcessIdentity | undefined {
  const startedAt = process.platform === "linux" ? startTicks(pid) : startDate(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

export function isRunning(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.startedAt === identity.startedAt;
}

/** Fields 3 (state) and 22 (start time in clock ticks since boot) of proc_pid_stat(5); field 2 may hold spaces and brackets. */
function startTicks(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function startDate(pid: number): string | undefined {
  const { stdout } = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" });
  return stdout?.trim() || undefined;
}
