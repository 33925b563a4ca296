import type { RunningWorker } from "@proofroom/queue";
import { type ServeDeps, serveAdvance } from "@proofroom/runtime";
import { advanceRun } from "./advance-run.ts";
import { startSweeper } from "./sweeper.ts";

export interface OrchestratorOptions {
  serving: ServeDeps;
  /** The runs that are looked after. */
  runs(signal: AbortSignal): AsyncIterable<string>;
  /** How often, in milliseconds. */
  sweepEvery: number;
}

/** Starts the worker that moves runs on when a step has ended, and the sweeper for those that nobody moves. */
export function startOrchestrator({ serving, runs, sweepEvery }: OrchestratorOptions): {
  workers: readonly RunningWorker[];
  stop(): Promise<void>;
} {
  const { store, producer, events, tracing, log } = serving;
  const deps = { store, producer, events, tracing };
  return {
    workers: [serveAdvance(serving, (runId, input, signal) => advanceRun(deps, runId, input, signal))],
    stop: startSweeper({ ...deps, runs, intervalMs: sweepEvery, log }),
  };
}
