import type { ObjectStore } from "@proofroom/artifacts";
import type { CallQuota } from "@proofroom/contracts";
import type { Logger } from "@proofroom/telemetry";
import type { Endpoint, ModelEntry } from "./models-file.ts";
import { parseModelsFile } from "./models-file.ts";
import type { Provider } from "./provider.ts";
import { createGemini } from "./providers/gemini.ts";
import { createOpenAiCompatible } from "./providers/openai-compatible.ts";
import { openRecordings } from "./recordings.ts";
import { createRouter, type Models, type RunFacts } from "./router.ts";

export interface OpenModelsOptions {
  /** The text of the models file, and how it is called in an error. */
  file: { text: string; name: string };
  /** The value of a setting that the file names, or undefined where it is not set. */
  setting(name: string): string | undefined;
  store: ObjectStore;
  quota: CallQuota;
  log: Logger;
  now(): Date;
  /** Whether questions and answers are kept with the run; what they cost always is. */
  keepsText: boolean;
  /** What runs are about: without it they have no budget, and each generation of a step asks for itself. */
  runs?: RunFacts;
  /** How long a call may take, in milliseconds. */
  timeoutMs?: number;
}

type Connection = Pick<OpenModelsOptions, "setting" | "timeoutMs">;

/** The provider of an endpoint, or null where it is not configured. */
function providerOf(endpoint: Endpoint, { setting, timeoutMs }: Connection): Provider | null {
  const named = (name: string | undefined) => (name === undefined ? undefined : setting(name));
  const apiKey = named(endpoint.key_setting);
  const baseUrl = named(endpoint.base_url_setting) ?? endpoint.base_url;
  if (apiKey === undefined && !endpoint.keyless) return null;
  if (endpoint.api === "gemini")
    return apiKey === undefined ? null : createGemini({ apiKey, baseUrl, timeoutMs });
  return baseUrl === undefined ? null : createOpenAiCompatible({ apiKey, baseUrl, timeoutMs });
}

const unlimited: RunFacts = {
  budgetOf: async () => null,
  answersOf: async (asker) => ({ places: [asker], only: false }),
};

/**
 * Opens what the models file names and the settings configure.
 * @throws ProofroomError invalid_input for a models file that is wrong, naming the line
 */
export async function openModels(options: OpenModelsOptions): Promise<Models> {
  const { setting, store, quota, log, now, keepsText, runs = unlimited } = options;
  const file = await parseModelsFile(options.file.text, options.file.name);
  const providers = new Map<string, Provider>();
  for (const [name, endpoint] of file.endpoints) {
    const provider = providerOf(endpoint, options);
    if (provider !== null) providers.set(name, provider);
  }
  return createRouter({
    file,
    providers,
    providerModel: ({ model, model_setting }: ModelEntry) =>
      (model_setting === undefined ? undefined : setting(model_setting)) ?? model,
    quota,
    recordings: openRecordings(store, { keepsText, now }),
    runs,
    log,
  });
}
