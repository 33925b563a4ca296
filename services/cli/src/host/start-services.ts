import type { ObjectStore } from "@proofroom/artifacts";
import { advanceRun } from "@proofroom/orchestrator";
import type { CancelBus, connect, EventLog, Producer, RunningWorker } from "@proofroom/queue";
import { cancellationOf, createCancellations, type ServeDeps, serve, serveAdvance } from "@proofroom/runtime";
import { openLedger } from "@proofroom/runtime/records";
import type { JobMetrics, Logger } from "@proofroom/telemetry";
import type { Settings } from "../settings.ts";
import { configuredModels } from "./configured-models.ts";
import { lazyCodeTools } from "./lazy-code-tools.ts";
import { openTempRoot } from "./temp-root.ts";

export interface ServicesOptions {
  settings: Settings;
  store: ObjectStore;
  log: Logger;
  connection: ReturnType<typeof connect>;
  producer: Producer;
  bus: CancelBus;
  events: EventLog;
  metrics: JobMetrics;
}

export interface RunningServices {
  readonly workers: readonly RunningWorker[];
  /** Frees what the handlers hold; after the workers have closed. */
  close(): Promise<void>;
}

/** Composes every service in this process: its handlers with what they depend on, and a worker per capability. */
export async function startServices(options: ServicesOptions): Promise<RunningServices> {
  const [
    { createResearchHandlers, openParsePool },
    { createWriterHandlers },
    { createCriticHandlers },
    { createCodeQaHandlers },
  ] = await Promise.all([
    import("@proofroom/research"),
    import("@proofroom/writer"),
    import("@proofroom/critic"),
    import("@proofroom/code-qa"),
  ]);
  const { store, events, log, connection, producer, settings } = options;
  const models = await configuredModels({ settings, store, connection, log });
  const temp = await openTempRoot(options.settings.home);
  const tools = lazyCodeTools({ log });
  const parsing = openParsePool();
  const deps: ServeDeps = {
    store,
    events,
    log,
    connection,
    producer,
    metrics: options.metrics,
    cancellations: createCancellations(
      options.bus,
      async ({ runId, step }) => (await cancellationOf(openLedger(store, runId), step)) !== null,
    ),
  };
  const research = createResearchHandlers({
    allowHosts: options.settings.allowHosts,
    tempRoot: temp.path,
    parsing,
    configured: options.settings.given,
    models,
    search: options.settings.search,
    now: () => new Date(),
  });
  const workers = [
    ...serve("research", research, deps),
    ...serve("writer", createWriterHandlers({ models }), deps),
    ...serve("critic", createCriticHandlers({ models }), deps),
    ...serve("code-qa", createCodeQaHandlers({ tools: (signal) => tools.open(signal), models }), deps),
    serveAdvance(deps, (runId, input) => advanceRun({ store, producer, events }, runId, input)),
  ];
  return {
    workers,
    async close() {
      await parsing.close();
      await tools.close();
      await temp.close();
    },
  };
}
