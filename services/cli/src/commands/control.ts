import type { RunBudget } from "@proofroom/contracts";
import { resumeRun, retryFrom } from "@proofroom/runtime";
import { openLedger } from "@proofroom/runtime/records";
import { type ExitCode, exitCodes } from "../output/failure.ts";
import { type CommandContext, parseRunId } from "./context.ts";
import { driveRun } from "./drive-run.ts";
import { sendCancel } from "./send-cancel.ts";

/** Sets a run in motion again and follows it to its end. */
export async function resumeCommand(
  context: CommandContext,
  id: string,
  options: { out: string | undefined; budget: RunBudget | undefined },
): Promise<ExitCode> {
  const runId = parseRunId(context, id);
  await openLedger(await context.store(), runId).manifest();
  return driveRun(context, {
    runId,
    out: options.out,
    async start(host) {
      const { edited } = await resumeRun(host.orchestrator, runId, { budget: options.budget });
      if (edited.length > 0) context.terminal.note(`Changed by hand: ${edited.join(", ")}`);
    },
  });
}

/** Executes a run again from a step. */
export async function retryCommand(
  context: CommandContext,
  id: string,
  options: { from: string; out: string | undefined },
): Promise<ExitCode> {
  const runId = parseRunId(context, id);
  await openLedger(await context.store(), runId).manifest();
  return driveRun(context, {
    runId,
    out: options.out,
    start: (host) => retryFrom(host.orchestrator, runId, options.from),
  });
}

/** Cancels a run, wherever it is being worked on. */
export async function cancelCommand(context: CommandContext, id: string): Promise<ExitCode> {
  const runId = parseRunId(context, id);
  await openLedger(await context.store(), runId).manifest();
  const cancelled = await sendCancel(context, runId);
  context.terminal.result(
    { run_id: runId, cancelled },
    cancelled ? `Run ${runId} cancelled.` : `Run ${runId} had ended already.`,
  );
  return exitCodes.done;
}
