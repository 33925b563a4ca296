import { type ExitCode, exitCodes } from "../output/failure.ts";
import type { CommandContext } from "./context.ts";
import { createRunFrom, type NewRunRequest } from "./create-run.ts";

/** Creates a run without starting it: tools work on it, resume starts it. */
export async function createCommand(context: CommandContext, request: NewRunRequest): Promise<ExitCode> {
  const runId = await createRunFrom(context, request);
  context.terminal.note(
    `Created; ${context.typed(`resume ${runId}`)} starts it, ${context.typed(`tool NAME --run ${runId}`)} does one step of it.`,
  );
  context.terminal.result({ run_id: runId }, runId);
  return exitCodes.done;
}
