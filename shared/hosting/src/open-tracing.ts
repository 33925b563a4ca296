import type { ObjectStore } from "@proofroom/artifacts";
import {
  createTracing,
  destinationsOf,
  type Logger,
  secretValues,
  type TraceSettings,
  type Tracing,
} from "@proofroom/telemetry";

export interface TracingSettings {
  traces: TraceSettings & { serviceName: string | undefined; captureContent: boolean };
  /** Names of the variables that are set. */
  given: ReadonlySet<string>;
  setting(name: string): string | undefined;
}

/**
 * Begins to trace this process, as the settings say: what belongs to a run is kept with the run, and everything goes to the
 * backends that are configured. What fails of that is logged once.
 */
export async function openTracing(options: {
  settings: TracingSettings;
  /** What the process is called unless the settings say otherwise. */
  serviceName: string;
  version: string;
  /** As it is: what is done to keep traces is not traced. */
  store: ObjectStore;
  log: Logger;
}): Promise<Tracing> {
  const { settings, store, log } = options;
  const { traces, given, setting } = settings;
  // Whoever only looks at runs need not load it.
  const { openRunTraces } = await import("@proofroom/runtime/records");
  return createTracing({
    serviceName: traces.serviceName ?? options.serviceName,
    version: options.version,
    destinations: destinationsOf(traces),
    runs: openRunTraces(store),
    captureContent: traces.captureContent,
    secrets: secretValues(given, setting),
    onTrouble: (where, error) =>
      log.warn({ where, error: error instanceof Error ? error.name : "unknown" }, "traces are not kept"),
  });
}
