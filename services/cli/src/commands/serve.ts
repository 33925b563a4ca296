import { watchWrites } from "@proofroom/artifacts";
import { advance } from "@proofroom/contracts";
import { openHealth } from "@proofroom/hosting";
import { untilAborted } from "@proofroom/hosting/program";
import type { ServeShare } from "@proofroom/runtime";
import { listMovingRuns } from "@proofroom/runtime/records";
import type { HealthServer } from "@proofroom/telemetry";
import { openHost } from "../host/open-host.ts";
import { type ExitCode, exitCodes } from "../output/failure.ts";
import type { CommandContext } from "./context.ts";

/** What is said of a process that serves a part of the queues: that runs are moved on is a queue among them. */
function shareText({ queues }: ServeShare): string {
  if (queues === undefined) return "";
  const moves = queues.has(advance.name) ? "" : `; without ${advance.name} runs are moved on by others alone`;
  return ` ${[...queues].join(", ")}${moves}`;
}

/** Hosts every service until it is told to stop, and looks after all runs of the store. */
export async function serveCommand(
  context: CommandContext,
  healthPort: number | undefined,
): Promise<ExitCode> {
  const { settings, terminal, log, signal } = context;
  const store = await context.store();
  const host = await openHost({
    settings,
    store,
    log,
    tracing: await context.tracing(),
    signal,
    notice: (line) => terminal.note(line),
    runs: (ending) => listMovingRuns(store, ending),
    share: settings.share,
    graceMs: settings.graceMs,
  });
  const writes = watchWrites(store);
  let health: HealthServer | null = null;
  try {
    health = await openHealth({
      place: { host: settings.health.host, port: healthPort ?? settings.health.port },
      workers: () => host.workers,
      obstacles: () => writes.obstacles(),
      metrics: () => host.report(),
      stopping: () => signal.aborted,
      notice: (line) => terminal.note(line),
    });
    terminal.note(`Serving${shareText(settings.share)}. Ctrl-C stops.`);
    await Promise.race([untilAborted(signal), host.lost]);
    return exitCodes.done;
  } finally {
    await host.close();
    writes.stop();
    // The last to go: whoever asks is told for as long as jobs end here.
    await health?.close();
  }
}
