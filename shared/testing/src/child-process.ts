import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** How long a process may take to end when it is told to, in milliseconds: more than a service's grace of 30 seconds. */
const patience = 45_000;

function hasGone({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid === undefined || exitCode !== null || signalCode !== null;
}

/**
 * Tells a process to end, and kills it where it does not; answers its exit code, which is null where a signal ended it. One that has
 * gone before is told nothing.
 */
export async function endProcess(
  child: ChildProcess,
  signal: NodeJS.Signals = "SIGTERM",
  patienceMs = patience,
): Promise<number | null> {
  if (hasGone(child)) return child.exitCode;
  const gone = once(child, "exit");
  child.kill(signal);
  const late = setTimeout(() => child.kill("SIGKILL"), patienceMs);
  await gone.finally(() => clearTimeout(late));
  return child.exitCode;
}

/**
 * Waits for what shows that a process that was just started serves; answers it. Where the process cannot be started or ends before,
 * or what is waited for fails, the process is ended.
 * @param said what it has said, for the failure
 */
export async function untilServing<T>(
  child: ChildProcess,
  serving: Promise<T>,
  said: () => string = () => "",
): Promise<T> {
  const over = new AbortController();
  const ended = once(child, "exit", { signal: over.signal }).then(
    () => {
      throw new Error(`${child.spawnargs.join(" ")} ended as it started: ${said()}`);
    },
    (cause) => {
      throw new Error(`${child.spawnfile} cannot be started; is it on the PATH?`, { cause });
    },
  );
  try {
    return await Promise.race([serving, ended]);
  } catch (error) {
    await endProcess(child, "SIGKILL");
    throw error;
  } finally {
    over.abort();
  }
}
