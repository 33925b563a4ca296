import { isAbsolute, resolve } from "node:path";
import {
  type Config,
  ConfigError,
  installConfig,
  logConfig,
  type Places,
  parseEnv,
  Secret,
} from "@proofroom/config";
import { ProofroomError } from "@proofroom/contracts";
import { type WorkSettings, workConfig, workSettings } from "@proofroom/hosting/program";
import { z } from "zod";

/** The key for a gateway elsewhere. */
const remoteConfig = z
  .object({ PROOFROOM_API_KEY: z.string().trim().min(1).optional() })
  .transform((env) => ({
    apiKey: env.PROOFROOM_API_KEY === undefined ? undefined : new Secret(env.PROOFROOM_API_KEY),
  }));

const config = workConfig.and(installConfig).and(logConfig("silent")).and(remoteConfig);

export interface Settings extends WorkSettings {
  allowInstall: boolean;
  logLevel: Config<typeof config>["logLevel"];
  /** What opens the gateway that `--remote` names, where it wants a key. */
  apiKey: Secret | undefined;
}

/**
 * Reads the settings from the environment.
 * @throws ProofroomError invalid_input, naming the variable
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>, places: Places): Settings {
  try {
    const parsed = parseEnv(config, env);
    const { allowInstall, logLevel, apiKey } = parsed;
    return { ...workSettings(parsed, env, places), allowInstall, logLevel, apiKey };
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
