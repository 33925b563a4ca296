import { type ObjectStore, traceStore } from "@proofroom/artifacts";
import type { Capability } from "@proofroom/contracts";
import {
  createQueueInspector,
  createQueueMetrics,
  createTenantPlaces,
  type QueueLinks,
} from "@proofroom/queue";
import { cancellationOf, createCancellations, type ServeDeps, type ServeShare } from "@proofroom/runtime";
import { openLedger } from "@proofroom/runtime/records";
import { type Logger, noTracing, type Tracing } from "@proofroom/telemetry";
import { closeAll } from "./close-all.ts";
import { type ConfiguredModels, configuredModels } from "./configured-models.ts";
import type { ModelsSettings } from "./read-models-file.ts";
import { createServiceMetrics, type ServiceMetrics } from "./service-metrics.ts";
import { openTempRoot } from "./temp-root.ts";

export interface WorkshopOptions {
  settings: ModelsSettings & { home: string; tenantJobs: number | null };
  store: ObjectStore;
  links: QueueLinks;
  log: Logger;
  tracing?: Tracing | undefined;
  /** What of the services' work this process does; all of it where nothing is said. */
  share?: ServeShare | undefined;
  /** Whose queues are told among the metrics; all where nothing is said. */
  capabilities?: readonly Capability[] | undefined;
}

/** What workers are made with, whichever service's they are. What not every service needs is opened when it is first asked for. */
export interface Workshop {
  readonly serving: ServeDeps & { tracing: Tracing };
  readonly metrics: ServiceMetrics;
  /** What was counted, and how the queues stand, in the text format of Prometheus. */
  report(): Promise<string>;
  /** @throws ProofroomError invalid_input for a models file that is missing or wrong */
  models(): Promise<ConfiguredModels>;
  /** A folder for temporary files, this process's own. */
  tempRoot(): Promise<string>;
  /** After the workers have closed. The store and the links stay the caller's. */
  close(): Promise<void>;
}

export function openWorkshop(options: WorkshopOptions): Workshop {
  const { settings, links, log, share, tracing = noTracing } = options;
  const store = traceStore(options.store, tracing);
  const { connection, producer, bus, events } = links;
  const closers: (() => Promise<void> | void)[] = [];
  const metrics = createServiceMetrics();
  const queues = createQueueMetrics(createQueueInspector(connection, options.capabilities), () => new Date());
  let models: Promise<ConfiguredModels> | undefined;
  let temp: Promise<string> | undefined;

  async function makeTemp(): Promise<string> {
    const { path, close } = await openTempRoot(settings.home);
    closers.push(close);
    return path;
  }

  return {
    metrics,
    report: async () => metrics.text() + (await queues.text()),
    serving: {
      store,
      events,
      log,
      connection,
      producer,
      share,
      places: settings.tenantJobs === null ? undefined : createTenantPlaces(connection, settings.tenantJobs),
      tracing,
      metrics: metrics.jobs,
      cancellations: createCancellations(
        bus,
        async ({ runId, step }) => (await cancellationOf(openLedger(store, runId), step)) !== null,
      ),
    },
    models() {
      models ??= configuredModels({ settings, store, connection, metrics: metrics.models, tracing, log });
      return models;
    },
    tempRoot() {
      temp ??= makeTemp();
      return temp;
    },
    close: () => closeAll(closers),
  };
}
