import { watchWrites } from "@proofroom/artifacts";
import type { RunBudget } from "@proofroom/contracts";
import { openHealth } from "@proofroom/hosting";
import { untilAborted } from "@proofroom/hosting/program";
import { cancelRun, resumeRun, retryFrom } from "@proofroom/runtime";
import { listMovingRuns, openLedger } from "@proofroom/runtime/records";
import type { HealthServer } from "@proofroom/telemetry";
import { openHost } from "../host/open-host.ts";
import { type ExitCode, exitCodes } from "../output/failure.ts";
import { type CommandContext, parseRunId } from "./context.ts";
import { driveRun } from "./drive-run.ts";

/** Sets a run in motion again and follows it to its end. */
export async function resumeCommand(
  context: CommandContext,
  id: string,
  options: { out: string | undefined; budget: RunBudget | undefined },
): Promise<ExitCode> {
  const runId = parseRunId(id);
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
  const runId = parseRunId(id);
  await openLedger(await context.store(), runId).manifest();
  return driveRun(context, {
    runId,
    out: options.out,
    start: (host) => retryFrom(host.orchestrator, runId, options.from),
  });
}

/** Cancels a run, wherever it is being worked on. */
export async function cancelCommand(context: CommandContext, id: string): Promise<ExitCode> {
  const { settings, terminal, log, signal } = context;
  const runId = parseRunId(id);
  const store = await context.store();
  await openLedger(store, runId).manifest();
  const host = await openHost({
    settings,
    store,
    log,
    tracing: await context.tracing(),
    signal,
    notice: () => undefined,
    runs: async function* () {},
    workers: false,
  });
  try {
    const cancelled = await cancelRun({ ...host.orchestrator, bus: host.bus }, runId);
    terminal.result(
      { run_id: runId, cancelled },
      cancelled ? `Run ${runId} cancelled.` : `Run ${runId} had ended already.`,
    );
    return exitCodes.done;
  } finally {
    await host.close();
  }
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
    runs: () => listMovingRuns(store),
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
    terminal.note("Serving. Ctrl-C stops.");
    await Promise.race([untilAborted(signal), host.lost]);
    return exitCodes.done;
  } finally {
    await host.close();
    writes.stop();
    // The last to go: whoever asks is told for as long as jobs end here.
    await health?.close();
  }
}
