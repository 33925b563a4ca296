import { isAbsolute, resolve } from "node:path";
import {
  type Config,
  ConfigError,
  installConfig,
  logConfig,
  type Places,
  parseEnv,
  Secret,
  workersConfig,
} from "@proofroom/config";
import { catalog, ProofroomError } from "@proofroom/contracts";
import { serveShare, type WorkSettings, workConfig, workSettings } from "@proofroom/hosting/program";
import type { ServeShare } from "@proofroom/runtime";
import { z } from "zod";

/** The key for a gateway elsewhere. */
const remoteConfig = z
  .object({ PROOFROOM_API_KEY: z.string().trim().min(1).optional() })
  .transform((env) => ({
    apiKey: env.PROOFROOM_API_KEY === undefined ? undefined : new Secret(env.PROOFROOM_API_KEY),
  }));

const config = workConfig.and(installConfig).and(logConfig("silent")).and(remoteConfig).and(workersConfig);

export interface Settings extends WorkSettings {
  allowInstall: boolean;
  logLevel: Config<typeof config>["logLevel"];
  /** What opens the gateway that `--remote` names, where it wants a key. */
  apiKey: Secret | undefined;
  /** What of all services' work `serve` does. */
  share: ServeShare;
  /** How long jobs may take to end when `serve` is told to, in milliseconds, where somebody said so. */
  graceMs: number | undefined;
}

/**
 * Reads the settings from the environment.
 * @throws ProofroomError invalid_input, naming the variable
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>, places: Places): Settings {
  try {
    const parsed = parseEnv(config, env);
    const { allowInstall, logLevel, apiKey } = parsed;
    const share = serveShare(parsed, { own: catalog, whose: "Proofroom" });
    const work = workSettings(parsed, env, places);
    const graceMs = work.given.has("PROOFROOM_GRACE") ? parsed.graceMs : undefined;
    return { ...work, allowInstall, logLevel, apiKey, share, graceMs };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ProofroomError({
      code: "invalid_input",
      message: `The setting ${error.message}.`,
      remedy: `Correct ${error.variable} in the environment, or unset it.`,
      cause: error,
    });
  }
}

/** A path as the user means it: relative to where they stand. */
export function userPath(settings: Settings, path: string): string {
  return isAbsolute(path) ? path : resolve(settings.cwd, path);
}
