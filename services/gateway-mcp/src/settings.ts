import { homeConfig, parseEnv, redisConfig, storeConfig } from "@proofroom/config";
import { z } from "zod";

function listOf(text: string): string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

const gatewayConfig = z
  .object({
    PROOFROOM_MCP_HOST: z.string().default("127.0.0.1"),
    PROOFROOM_MCP_PORT: z
      .string()
      .regex(/^\d{1,5}$/)
      .refine((port) => Number(port) < 65_536, { error: "must be a port" })
      .default("8081"),
    /** sha256, hex, of each key; separated by commas. */
    PROOFROOM_API_KEYS: z
      .string()
      .toLowerCase()
      .transform(listOf)
      .refine((hashes) => hashes.every((hash) => /^[0-9a-f]{64}$/.test(hash)), {
        error: "must be the sha256 of each key in hex, separated by commas; never the keys themselves",
      })
      .default([]),
    PROOFROOM_MCP_ALLOWED_HOSTS: z.string().transform(listOf).default([]),
    PROOFROOM_LOG: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
  })
  .transform((env) => ({
    host: env.PROOFROOM_MCP_HOST,
    port: Number(env.PROOFROOM_MCP_PORT),
    apiKeys: env.PROOFROOM_API_KEYS,
    allowedHosts: env.PROOFROOM_MCP_ALLOWED_HOSTS,
    logLevel: env.PROOFROOM_LOG,
  }));

const config = homeConfig.and(storeConfig).and(redisConfig).and(gatewayConfig);

/**
 * Reads the settings of the HTTP service. The gateway has no workers, so it needs the Redis that the workers use.
 * @throws ConfigError naming the variable
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>) {
  return parseEnv(config, env);
}

export type Settings = ReturnType<typeof readSettings>;
