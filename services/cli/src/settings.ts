import { isAbsolute, resolve } from "node:path";
import {
  type Config,
  ConfigError,
  homeConfig,
  installConfig,
  networkConfig,
  parseEnv,
  redisConfig,
  storeConfig,
} from "@proofroom/config";
import { ProofroomError } from "@proofroom/contracts";
import { z } from "zod";

const processConfig = z
  .object({
    INIT_CWD: z.string().optional(),
    PROOFROOM_LOG: z.enum(["debug", "info", "warn", "error", "silent"]).default("silent"),
  })
  .transform((env) => ({ initCwd: env.INIT_CWD, logLevel: env.PROOFROOM_LOG }));

const config = homeConfig
  .and(storeConfig)
  .and(redisConfig)
  .and(networkConfig)
  .and(installConfig)
  .and(processConfig);

export interface Settings {
  /** The folder that the user stood in. */
  cwd: string;
  /** The folder of the checkout. */
  checkout: string;
  home: string;
  store: Config<typeof config>["store"];
  s3: Config<typeof config>["s3"];
  redisUrl: string | undefined;
  allowHosts: ReadonlySet<string>;
  allowInstall: boolean;
  logLevel: Config<typeof config>["logLevel"];
  /** Names of the variables that are set, whatever they hold. */
  given: ReadonlySet<string>;
}

/**
 * Reads the settings from the environment.
 * @throws ProofroomError invalid_input, naming the variable
 */
export function readSettings(
  env: Readonly<Record<string, string | undefined>>,
  places: { cwd: string; checkout: string },
): Settings {
  try {
    const parsed = parseEnv(config, env);
    const cwd = parsed.initCwd ?? places.cwd;
    return {
      cwd,
      checkout: places.checkout,
      // The default belongs to the checkout, wherever the user stands; a path that a user gives is theirs.
      home: env["PROOFROOM_HOME"] ? resolve(cwd, parsed.home) : resolve(places.checkout, parsed.home),
      store: parsed.store,
      s3: parsed.s3,
      redisUrl: parsed.redisUrl?.reveal(),
      allowHosts: new Set(parsed.allowHosts),
      allowInstall: parsed.allowInstall,
      logLevel: parsed.logLevel,
      given: new Set(Object.keys(env).filter((name) => env[name])),
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
