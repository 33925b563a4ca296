import { spawn } from "node:child_process";

export interface CommandResult {
  /** null where the program could not be started or was killed. */
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

export interface RunCommandOptions {
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  cwd?: string;
  /** Called with each chunk of both streams as it comes. */
  onOutput?: (text: string) => void;
}

const KEPT_CHARACTERS = 16_000_000;

/**
 * Runs a short program and gives what it said (the last 16 million characters). A program that is not there, fails or takes too long is
 * a result, not an error.
 *
 * @throws the signal's reason when aborted
 */
export async function runCommand(
  command: string,
  args: readonly string[],
  options: RunCommandOptions,
): Promise<CommandResult> {
  const { timeoutMs, signal, cwd, onOutput } = options;
  signal?.throwIfAborted();
  const deadline = AbortSignal.timeout(timeoutMs);
  const result = await new Promise<CommandResult>((resolve) => {
    const child = spawn(command, args, {
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
    const said = { stdout: "", stderr: "" };
    for (const stream of ["stdout", "stderr"] as const) {
      child[stream].setEncoding("utf8").on("data", (text: string) => {
        said[stream] = (said[stream] + text).slice(-KEPT_CHARACTERS);
        onOutput?.(text);
      });
    }
    child.on("error", () => resolve({ exitCode: null, ...said }));
    child.on("close", (exitCode) => resolve({ exitCode, ...said }));
  });
  signal?.throwIfAborted();
  return result;
}

/** The first of these programs that is on the PATH and answers `--version`. */
export async function findProgram(
  names: readonly string[],
  signal?: AbortSignal,
): Promise<string | undefined> {
  for (const name of names) {
    const { exitCode } = await runCommand(name, ["--version"], { timeoutMs: 10_000, signal });
    if (exitCode === 0) return name;
  }
  return undefined;
}
