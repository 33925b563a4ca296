import { ConfigError } from "@proofroom/config";
import { type ErrorCode, isProofroomError } from "@proofroom/contracts";
import { interruptionOf } from "./interruption.ts";

/** What whoever starts a program can mend in its settings. */
const ofSettings: ReadonlySet<ErrorCode> = new Set(["invalid_input", "not_configured", "conflict"]);

/** How a program ends that could not do its work: 2 where its settings are wrong, else 1. */
function failureOf(error: unknown): { exitCode: number; line: string } | null {
  if (error instanceof ConfigError) return { exitCode: 2, line: `${error.code}: ${error.message}` };
  if (!isProofroomError(error)) return null;
  const { code, message, remedy } = error;
  return {
    exitCode: ofSettings.has(code) ? 2 : 1,
    line: `${code}: ${message}${remedy === undefined ? "" : ` ${remedy}`}`,
  };
}

/**
 * Runs a program that serves until it is told to end, and leaves with the exit code that it answers. What fails with an error of ours
 * is told in one line on stderr; any other error is thrown.
 * @param main gets a signal that aborts on SIGTERM, SIGINT and SIGHUP
 */
export async function runProgram(
  program: NodeJS.Process,
  main: (signal: AbortSignal) => Promise<number>,
): Promise<void> {
  const signal = interruptionOf(program);
  let exitCode: number;
  try {
    exitCode = await main(signal);
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    program.stderr.write(`${failure.line}\n`);
    exitCode = failure.exitCode;
  }
  // Whatever a library left open must not keep a program alive that has ended.
  program.exit(exitCode);
}
