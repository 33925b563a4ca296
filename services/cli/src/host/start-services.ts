import { advance } from "@proofroom/contracts";
import type { Workshop } from "@proofroom/hosting";
import { startOrchestrator } from "@proofroom/orchestrator";
import type { RunningWorker } from "@proofroom/queue";
import { serve } from "@proofroom/runtime";
import type { Settings } from "../settings.ts";

export interface ServicesOptions {
  settings: Settings;
  workshop: Workshop;
  /** The runs that this process looks after. */
  runs(signal: AbortSignal): AsyncIterable<string>;
}

export interface RunningServices {
  readonly workers: readonly RunningWorker[];
  /** Ends what begins work by itself; before the workers are closed. */
  stop(): Promise<void>;
  /** Frees what the handlers hold; after the workers have closed. */
  close(): Promise<void>;
}

/** How often runs are looked at that nobody moves, in milliseconds. */
const sweepEvery = 2_000;

/** Composes every service in this process: its handlers with what they depend on, and a worker per capability. */
export async function startServices(options: ServicesOptions): Promise<RunningServices> {
  const [{ openResearch }, { createWriterHandlers }, { createCriticHandlers }, { openCodeQa }] =
    await Promise.all([
      import("@proofroom/research"),
      import("@proofroom/writer"),
      import("@proofroom/critic"),
      import("@proofroom/code-qa"),
    ]);
  const { settings, workshop, runs } = options;
  const { serving, metrics } = workshop;
  const { store, log, tracing } = serving;
  const { models, calls } = await workshop.models();
  const tempRoot = await workshop.tempRoot();
  const research = openResearch({ settings, store, models, calls, tempRoot, tracing });
  const codeQa = openCodeQa({ models, log, tracing });
  const movesRuns = serving.share?.queues?.has(advance.name) ?? true;
  const orchestrator = movesRuns
    ? startOrchestrator({ serving, runs, sweepEvery })
    : { workers: [], stop: async () => undefined };
  return {
    workers: [
      ...serve("research", research.handlers, serving),
      ...serve("writer", createWriterHandlers({ models }), serving),
      ...serve("critic", createCriticHandlers({ models, verdicts: metrics.verdicts }), serving),
      ...serve("code-qa", codeQa.handlers, serving),
      ...orchestrator.workers,
    ],
    stop: orchestrator.stop,
    async close() {
      await research.close();
      await codeQa.close();
    },
  };
}
