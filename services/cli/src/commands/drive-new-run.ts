import { isProofroomError, ProofroomError } from "@proofroom/contracts";
import { startRun } from "@proofroom/runtime";
import { openLedger, removeRun } from "@proofroom/runtime/records";
import type { ExitCode } from "../output/failure.ts";
import type { CommandContext } from "./context.ts";
import { type DriveOptions, driveRun } from "./drive-run.ts";

export interface NewDrive extends Omit<DriveOptions, "start"> {
  /** Told once the run begins. */
  note: string;
}

/**
 * Starts a run that was made for this and follows it to its end. Where it cannot begin (no Redis, a wrong setting, an interruption)
 * nothing of it is left: nobody has been told its id.
 */
export async function driveNewRun(context: CommandContext, { note, ...drive }: NewDrive): Promise<ExitCode> {
  const { runId } = drive;
  try {
    return await driveRun(context, {
      ...drive,
      async start(host) {
        context.terminal.note(note);
        await startRun(host.orchestrator, runId);
      },
    });
  } catch (error) {
    const isGone = await removeUnbegun(context, runId);
    // What went on with it would not find it.
    if (isGone && context.signal.aborted)
      throw new ProofroomError({ code: "cancelled", message: "Interrupted before it began.", cause: error });
    throw error;
  }
}

/** Removes a run that has not begun; answers whether it is gone, and says so where it should be and is not. */
async function removeUnbegun(context: CommandContext, runId: string): Promise<boolean> {
  try {
    const store = await context.store();
    const { epoch, manifest } = await openLedger(store, runId).standing();
    if (epoch !== null) return false;
    await removeRun(store, { tenant: manifest.tenant, runId });
    return true;
  } catch (error) {
    // Somebody else has removed it.
    if (isProofroomError(error) && error.code === "not_found") return true;
    const resume = context.typed(`resume ${runId}`);
    context.terminal.note(`! Run ${runId} was made and may not have begun: ${resume} goes on with it.`);
    return false;
  }
}
