import { cancelRun } from "@proofroom/runtime";
import { openHost } from "../host/open-host.ts";
import type { CommandContext } from "./context.ts";

/** Cancels a run, wherever it is being worked on. Answers false where it had ended already. */
export async function sendCancel(context: CommandContext, runId: string): Promise<boolean> {
  const { settings, log, signal } = context;
  const host = await openHost({
    settings,
    store: await context.store(),
    log,
    tracing: await context.tracing(),
    signal,
    notice: () => undefined,
    workers: false,
  });
  try {
    return await cancelRun({ ...host.orchestrator, bus: host.bus }, runId);
  } finally {
    await host.close();
  }
}
