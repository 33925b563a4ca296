import { isAbsolute, resolve } from "node:path";
import {
  type Config,
  ConfigError,
  homeConfig,
  installConfig,
  modelsConfig,
  networkConfig,
  type Places,
  parseEnv,
  redisConfig,
  resolveFolders,
  searchConfig,
  storeConfig,
} from "@proofroom/config";
import { ProofroomError } from "@proofroom/contracts";
import { z } from "zod";

const processConfig = z
  .object({
    PROOFROOM_LOG: z.enum(["debug", "info", "warn", "error", "silent"]).default("silent"),
    PROOFROOM_HEALTH_HOST: z.string().optional(),
    PROOFROOM_HEALTH_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  })
  .transform((env) => ({
    logLevel: env.PROOFROOM_LOG,
    health: { host: env.PROOFROOM_HEALTH_HOST, port: env.PROOFROOM_HEALTH_PORT },
  }));

const config = homeConfig
  .and(storeConfig)
  .and(redisConfig)
  .and(networkConfig)
  .and(installConfig)
  .and(searchConfig)
  .and(modelsConfig)
  .and(processConfig);

export interface Settings {
  /** The folder that the user stood in. */
  cwd: string;
  /** The folder of the checkout. */
  checkout: string;
  home: string;
  store: NonNullable<Config<typeof config>["store"]>;
  s3: Config<typeof config>["s3"];
  redisUrl: string | undefined;
  allowHosts: ReadonlySet<string>;
  allowInstall: boolean;
  search: Config<typeof config>["search"];
  /** The file that names the models, as the user gave it. */
  modelsFile: string | undefined;
  /** Whether what models are asked and answer is kept with the run. */
  record: boolean;
  /** How long one call of a model may take. */
  modelTimeoutMs: number;
  logLevel: Config<typeof config>["logLevel"];
  /** Where `serve` tells of its health, as far as somebody said so. */
  health: Config<typeof config>["health"];
  /** Names of the variables that are set, whatever they hold. */
  given: ReadonlySet<string>;
  /** The value of a setting that a file names. Secrets are among them: it goes nowhere but to whom it is for. */
  setting(name: string): string | undefined;
}

/**
 * Reads the settings from the environment.
 * @throws ProofroomError invalid_input, naming the variable
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>, places: Places): Settings {
  try {
    const parsed = parseEnv(config, env);
    return {
      ...resolveFolders(parsed, env, places),
      checkout: places.checkout,
      s3: parsed.s3,
      redisUrl: parsed.redisUrl?.reveal(),
      allowHosts: new Set(parsed.allowHosts),
      allowInstall: parsed.allowInstall,
      search: parsed.search,
      modelsFile: parsed.modelsFile,
      record: parsed.record,
      modelTimeoutMs: parsed.modelTimeoutMs,
      logLevel: parsed.logLevel,
      health: parsed.health,
      given: new Set(Object.keys(env).filter((name) => env[name])),
      setting: (name) => env[name] || undefined,
    };
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
