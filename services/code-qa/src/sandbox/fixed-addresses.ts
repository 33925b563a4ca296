import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { findProgram } from "./interpreters.ts";

const PLACES = ["/usr/bin/setarch", "/bin/setarch"];

const run = promisify(execFile);

/**
 * What to put before a command so that the addresses which programs print are the same in every run. Nothing where that cannot be
 * had: the seccomp profile of containers forbids it.
 *
 * @param places paths to try instead of the usual ones
 */
export async function fixedAddresses(
  signal: AbortSignal,
  places: readonly string[] = PLACES,
): Promise<string[]> {
  const setarch = await findProgram(places);
  if (setarch === null) return [];
  const prefix = [setarch, "--addr-no-randomize"];
  try {
    await run(setarch, ["--addr-no-randomize", "/bin/true"], { env: {}, cwd: "/", signal, timeout: 10_000 });
    return prefix;
  } catch {
    signal.throwIfAborted();
    return [];
  }
}
