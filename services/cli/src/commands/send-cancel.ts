import { cancelRun, stopAll } from "@proofroom/runtime";
import { openHost } from "../host/open-host.ts";
import type { CommandContext } from "./context.ts";

/** Cancels a run, wherever it is being worked on. Answers false where it had ended already. */
export function sendCancel(context: CommandContext, runId: string): Promise<boolean> {
  return sending(context, (deps) => cancelRun(deps, runId));
}

/** Cancels whatever is at work for a run, jobs that were called alone as well. */
export function sendStop(context: CommandContext, runId: string): Promise<void> {
  return sending(context, (deps) => stopAll(deps, runId));
}

async function sending<T>(
  context: CommandContext,
  send: (deps: Parameters<typeof cancelRun>[0]) => Promise<T>,
): Promise<T> {
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
    return await send({ ...host.orchestrator, bus: host.bus });
  } finally {
    await host.close();
  }
}
