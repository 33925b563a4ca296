import type { ObjectStore } from "@proofroom/artifacts";
import {
  type Models,
  type OutsideCalls,
  openModels,
  openOutsideCalls,
  openSpending,
  traceCalls,
} from "@proofroom/models";
import { type connect, createBudgetHolds, createCallQuota } from "@proofroom/queue";
import { openModelFacts } from "@proofroom/runtime/records";
import type { Logger, ModelMetrics, Tracing } from "@proofroom/telemetry";
import { type ModelsSettings, readModelsFile } from "./read-models-file.ts";

export interface ConfiguredModels {
  models: Models;
  /** Counts and records the calls of others. */
  calls: OutsideCalls;
}

/**
 * Opens the models that the settings name (a file of the user's, or the one of the checkout), and what counts and records
 * the calls of others.
 * @throws ProofroomError invalid_input where the file cannot be read or is wrong, naming the line
 */
export async function configuredModels(options: {
  settings: ModelsSettings;
  store: ObjectStore;
  connection: ReturnType<typeof connect>;
  metrics: ModelMetrics;
  tracing: Tracing;
  log: Logger;
}): Promise<ConfiguredModels> {
  const { settings, store, connection, metrics, tracing, log } = options;
  const runs = openModelFacts(store);
  const recorded = {
    file: await readModelsFile(settings),
    store,
    runs,
    spending: openSpending(store, runs, createBudgetHolds(connection)),
    now: () => new Date(),
    keepsText: settings.record,
  };
  const models = await openModels({
    ...recorded,
    setting: settings.setting,
    quota: createCallQuota(connection),
    log,
    metrics,
    tracing,
    timeoutMs: settings.modelTimeoutMs,
  });
  return { models, calls: traceCalls(await openOutsideCalls({ ...recorded, metrics }), tracing) };
}
