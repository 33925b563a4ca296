import { accessConfig, allowedHosts, operatorKeys } from "@proofroom/access";
import type { StoreSettings } from "@proofroom/artifacts";
import {
  ConfigError,
  homeConfig,
  installConfig,
  logConfig,
  type Places,
  parseEnv,
  redisConfig,
  resolveFolders,
  storeConfig,
  telemetryConfig,
} from "@proofroom/config";
import { ProofroomError } from "@proofroom/contracts";
import type { TracingSettings } from "@proofroom/hosting/program";
import type { RedisSettings } from "@proofroom/queue";
import { z } from "zod";
import type { AuthOptions } from "./deps.ts";

const gatewayConfig = z
  .object({
    PROOFROOM_REST_HOST: z.string().default("127.0.0.1"),
    PROOFROOM_REST_PORT: z.coerce.number().int().min(0).max(65_535).default(8_080),
    PROOFROOM_REST_ALLOWED_HOSTS: allowedHosts.prefault(""),
    PROOFROOM_OPERATOR_KEYS: operatorKeys.prefault(""),
  })
  .transform((env) => ({
    host: env.PROOFROOM_REST_HOST,
    port: env.PROOFROOM_REST_PORT,
    allowedHosts: env.PROOFROOM_REST_ALLOWED_HOSTS,
    operatorKeys: env.PROOFROOM_OPERATOR_KEYS,
  }));

const config = homeConfig
  .and(storeConfig)
  .and(redisConfig)
  .and(installConfig)
  .and(accessConfig)
  .and(logConfig("info"))
  .and(telemetryConfig)
  .and(gatewayConfig);

export interface Settings extends TracingSettings {
  /** Where the user stood. */
  cwd: string;
  home: string;
  store: StoreSettings;
  redis: RedisSettings | undefined;
  allowInstall: boolean;
  port: number;
  auth: AuthOptions;
  logLevel: "debug" | "info" | "warn" | "error" | "silent";
}

/**
 * Reads the settings from the environment.
 * @param places where the user stands, and the checkout, to which the default home belongs
 * @throws ProofroomError invalid_input, naming the variable
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>, places: Places): Settings {
  try {
    const parsed = parseEnv(config, env);
    if (parsed.apiKeys.some(({ sha256 }) => parsed.operatorKeys.includes(sha256)))
      throw new ConfigError("PROOFROOM_OPERATOR_KEYS", "must not hold the key of a tenant");
    const { cwd, home, store } = resolveFolders(parsed, env, places);
    return {
      cwd,
      home,
      store: { store, s3: parsed.s3 },
      redis: parsed.redis,
      allowInstall: parsed.allowInstall,
      port: parsed.port,
      auth: {
        keys: parsed.apiKeys,
        host: parsed.host,
        allowedHosts: parsed.allowedHosts,
        operatorKeys: parsed.operatorKeys,
        ratePerSecond: parsed.ratePerSecond,
      },
      logLevel: parsed.logLevel,
      traces: parsed.traces,
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
