import { describeRun, indexRuns, pageOfRuns } from "@proofroom/runtime/records";
import { type ExitCode, exitCodes } from "../output/failure.ts";
import { runLines, runText } from "../output/run-text.ts";
import { type CommandContext, parseRunId } from "./context.ts";

/** Every run in the store, newest last. */
export async function listCommand({
  store: open,
  signal,
  terminal,
  typed,
}: CommandContext): Promise<ExitCode> {
  const store = await open();
  await indexRuns(store, signal);
  const { runs: newestFirst, unreadable } = await pageOfRuns(store, { signal });
  const runs = newestFirst.reverse();
  for (const runId of unreadable)
    terminal.note(`${runId}: its records cannot be read. ${typed(`remove --force ${runId}`)} removes it.`);
  const none = `There are no runs yet: ${typed("write GUIDELINE.md")} makes one.`;
  terminal.result({ runs }, runs.length === 0 ? none : runLines(runs).join("\n"));
  return exitCodes.done;
}

/** One run and its steps. */
export async function statusCommand(context: CommandContext, id: string): Promise<ExitCode> {
  const run = await describeRun(await context.store(), parseRunId(context, id));
  context.terminal.result(run, runText(run, context.typed(`resume ${run.run_id}`)));
  return exitCodes.done;
}
