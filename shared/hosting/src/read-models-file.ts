import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ProofroomError } from "@proofroom/contracts";

/** What the settings say of models. */
export interface ModelsSettings {
  /** Where whoever started the process stood, and the folder of the checkout. */
  cwd: string;
  checkout: string;
  /** The file that names the models, as the user gave it. */
  modelsFile: string | undefined;
  /** Whether what models are asked and answer is kept with the run. */
  record: boolean;
  /** How long one call of a model may take. */
  modelTimeoutMs: number;
  /** The value of a setting that a file names. */
  setting(name: string): string | undefined;
}

/**
 * The file that names the models: the user's, or the one of the checkout.
 * @throws ProofroomError invalid_input where it cannot be read
 */
export async function readModelsFile(
  settings: Pick<ModelsSettings, "cwd" | "checkout" | "modelsFile">,
): Promise<{ text: string; name: string }> {
  const named = settings.modelsFile;
  const path =
    named === undefined ? join(settings.checkout, "infra", "models.yaml") : resolve(settings.cwd, named);
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
