import { ProofroomError } from "@proofroom/contracts";
import { type ExitCode, exitCodes } from "../output/failure.ts";
import { type CommandContext, parseRunId } from "./context.ts";

/** What is asked to be removed, here or at a gateway. */
export interface Removal {
  ids: readonly string[];
  /** Whether what is at work is cancelled first; it is refused otherwise. */
  force: boolean;
}

/** The runs that are named, each once. @throws ProofroomError invalid_input */
export function parseRunIds(context: CommandContext, { ids }: Removal): string[] {
  return [...new Set(ids.map((id) => parseRunId(context, id)))];
}

/**
 * @param moving the runs for which something is at work
 * @param where what follows a run's id in a command that means the same place
 * @throws ProofroomError conflict where there are any and nobody said that they may be cancelled
 */
export function assertNoneAtWork(
  { typed }: CommandContext,
  { force }: Removal,
  moving: readonly string[],
  where = "",
): void {
  if (force || moving.length === 0) return;
  const named = moving.join(" ");
  throw new ProofroomError({
    code: "conflict",
    message: `At work, or left by a process that ended: ${named}`,
    remedy: `${typed(`remove --force ${named}${where}`)} cancels before it removes.`,
  });
}

export function showRemoved({ terminal }: CommandContext, runIds: readonly string[]): ExitCode {
  terminal.result({ removed: runIds }, runIds.map((id) => `Run ${id} removed.`).join("\n"));
  return exitCodes.done;
}
