import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ObjectStore } from "@proofroom/artifacts";
import { ProofroomError } from "@proofroom/contracts";
import { type Models, openModels } from "@proofroom/models";
import { type connect, createCallQuota } from "@proofroom/queue";
import { openModelFacts } from "@proofroom/runtime/records";
import type { Logger } from "@proofroom/telemetry";
import { type Settings, userPath } from "../settings.ts";

/**
 * Opens the models that the settings name: a file of the user's, or the one of the checkout.
 * @throws ProofroomError invalid_input where the file cannot be read or is wrong, naming the line
 */
export async function configuredModels(options: {
  settings: Settings;
  store: ObjectStore;
  connection: ReturnType<typeof connect>;
  log: Logger;
}): Promise<Models> {
  const { settings, store, connection, log } = options;
  return openModels({
    file: await readModelsFile(settings),
    setting: settings.setting,
    store,
    quota: createCallQuota(connection),
    runs: openModelFacts(store),
    log,
    now: () => new Date(),
    keepsText: settings.record,
    timeoutMs: settings.modelTimeoutMs,
  });
}

/**
 * The file that names the models: the user's, or the one of the checkout.
 * @throws ProofroomError invalid_input where it cannot be read
 */
export async function readModelsFile(settings: Settings): Promise<{ text: string; name: string }> {
  const named = settings.modelsFile;
  const path =
    named === undefined ? join(settings.checkout, "infra", "models.yaml") : userPath(settings, named);
  return { text: await read(path), name: named ?? "infra/models.yaml" };
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new ProofroomError({
      code: "invalid_input",
      message: "The models file cannot be read.",
      remedy: "Set PROOFROOM_MODELS to a file that is there, or unset it.",
      cause,
    });
  }
}
