import type { ObjectStore } from "@proofroom/artifacts";
import type { CallQuota } from "@proofroom/contracts";
import {
  createSecretRemover,
  type Logger,
  type ModelMetrics,
  noTracing,
  type Tracing,
} from "@proofroom/telemetry";
import { readEndpointSettings } from "./endpoint-settings.ts";
import type { Endpoint, ModelEntry } from "./models-file.ts";
import { parseModelsFile } from "./models-file.ts";
import type { Provider } from "./provider.ts";
import { createGemini } from "./providers/gemini.ts";
import { createOpenAiCompatible } from "./providers/openai-compatible.ts";
import { openRecordings } from "./recordings.ts";
import { createRouter, type Models, type RunFacts } from "./router.ts";
import { type Spending, unlimitedSpending } from "./spending.ts";
import { createModelTracing } from "./traced-models.ts";

export interface OpenModelsOptions {
  /** The text of the models file, and how it is called in an error. */
  file: { text: string; name: string };
  /** The value of a setting that the file names, or undefined where it is not set. */
  setting(name: string): string | undefined;
  store: ObjectStore;
  quota: CallQuota;
  log: Logger;
  metrics?: ModelMetrics | undefined;
  tracing?: Tracing | undefined;
  now(): Date;
  /** Whether questions and answers are kept with the run; what they cost always is. */
  keepsText: boolean;
  /** What runs are about: without it each generation of a step asks for itself. */
  runs?: Pick<RunFacts, "answersOf">;
  /** What keeps the runs' budgets, for models and others together; without it they have none. */
  spending?: Spending;
  /** How long a call may take where no setting of its endpoint says so, in milliseconds. */
  timeoutMs?: number;
}

type Connection = Pick<OpenModelsOptions, "setting" | "timeoutMs">;

/** Servers of one's own take any word as a key, such as `lm-studio`, which a text may well hold. */
function looksSecret(apiKey: string): boolean {
  return apiKey.length >= 16 && /\d/.test(apiKey);
}

/** The same provider, whose answers do not hand on the key where they quote it: they are recorded, and become texts. */
function withoutKey(provider: Provider, apiKey: string | undefined): Provider {
  if (apiKey === undefined || !looksSecret(apiKey)) return provider;
  const remove = createSecretRemover([apiKey]);
  return {
    ...provider,
    async generate(request, options) {
      const reply = await provider.generate(request, options);
      return { ...reply, text: remove(reply.text) };
    },
  };
}

/** The provider of an endpoint, or null where it is not configured. */
function providerOf(endpoint: Endpoint, options: Connection): Provider | null {
  const { apiKey, baseUrl, timeoutMs = options.timeoutMs } = readEndpointSettings(endpoint, options.setting);
  if (apiKey === undefined && !endpoint.keyless) return null;
  if (endpoint.api === "gemini")
    return apiKey === undefined ? null : withoutKey(createGemini({ apiKey, baseUrl, timeoutMs }), apiKey);
  return baseUrl === undefined
    ? null
    : withoutKey(createOpenAiCompatible({ apiKey, baseUrl, timeoutMs }), apiKey);
}

/** Without records of runs each generation of a step asks for itself. */
export const unrelated: Pick<RunFacts, "answersOf"> = {
  answersOf: async (asker) => ({ places: [asker], only: false }),
};

/**
 * Opens what the models file names and the settings configure.
 * @throws ProofroomError invalid_input for a models file that is wrong, naming the line, or a setting of an endpoint that is
 */
export async function openModels(options: OpenModelsOptions): Promise<Models> {
  const { setting, store, quota, log, now, keepsText, runs = unrelated, tracing = noTracing } = options;
  const spending = options.spending ?? unlimitedSpending(store);
  const file = await parseModelsFile(options.file.text, options.file.name);
  const providerModel = ({ model, model_setting }: ModelEntry) =>
    (model_setting === undefined ? undefined : setting(model_setting)) ?? model;
  const traced = createModelTracing({
    tracing,
    keepsText,
    entryOf: (endpoint, model) =>
      file.models.values().find((entry) => entry.endpoint === endpoint && providerModel(entry) === model),
  });
  const providers = new Map<string, Provider>();
  for (const [name, endpoint] of file.endpoints) {
    const provider = providerOf(endpoint, options);
    if (provider !== null) providers.set(name, traced.provider(name, endpoint.api, provider));
  }
  const router = createRouter({
    file,
    providers,
    providerModel,
    quota,
    budgets: spending.budgets,
    recordings: openRecordings(store, { keepsText, now, spent: spending.spent }),
    runs,
    log,
    metrics: options.metrics,
  });
  return traced.models(router);
}
