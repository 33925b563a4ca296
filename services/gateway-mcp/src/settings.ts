import { accessConfig, allowedHosts } from "@proofroom/access";
import {
  homeConfig,
  logConfig,
  type Places,
  parseEnv,
  redisConfig,
  resolveFolders,
  storeConfig,
  telemetryConfig,
} from "@proofroom/config";
import { z } from "zod";
import { oauthConfig } from "./http/oauth/oauth-config.ts";

const gatewayConfig = z
  .object({
    PROOFROOM_MCP_HOST: z.string().default("127.0.0.1"),
    PROOFROOM_MCP_PORT: z
      .string()
      .regex(/^\d{1,5}$/)
      .refine((port) => Number(port) < 65_536, { error: "must be a port" })
      .default("8081"),
    PROOFROOM_MCP_ALLOWED_HOSTS: allowedHosts.prefault(""),
  })
  .transform((env) => ({
    host: env.PROOFROOM_MCP_HOST,
    port: Number(env.PROOFROOM_MCP_PORT),
    allowedHosts: env.PROOFROOM_MCP_ALLOWED_HOSTS,
  }));

const config = homeConfig
  .and(storeConfig)
  .and(redisConfig)
  .and(accessConfig)
  .and(oauthConfig)
  .and(logConfig("info"))
  .and(telemetryConfig)
  .and(gatewayConfig);

/**
 * Reads the settings of the HTTP service. The gateway has no workers, so it needs the Redis that the workers use.
 * @throws ConfigError naming the variable
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>, places: Places) {
  const settings = parseEnv(config, env);
  const { cwd, store } = resolveFolders(settings, env, places);
  const given = new Set(Object.keys(env).filter((name) => env[name]));
  return { ...settings, cwd, store, given, setting: (name: string) => env[name] || undefined };
}

export type Settings = ReturnType<typeof readSettings>;
