import { isAbsolute, resolve } from "node:path";
import type { StoreSettings } from "@proofroom/artifacts";
import {
  ConfigError,
  homeConfig,
  installConfig,
  parseEnv,
  redisConfig,
  storeConfig,
} from "@proofroom/config";
import { ProofroomError } from "@proofroom/contracts";
import { z } from "zod";
import type { AuthOptions } from "./deps.ts";
import { isLoopback } from "./plugins/loopback.ts";

const keyHashes = z
  .string()
  .default("")
  .transform((value) => value.split(",").map((part) => part.trim().toLowerCase()))
  .transform((parts) => parts.filter((part) => part !== ""))
  .refine((hashes) => hashes.every((hash) => /^[0-9a-f]{64}$/.test(hash)), {
    error: "must be sha256 hashes in hex, separated by commas",
  });

const gatewayConfig = z
  .object({
    PROOFROOM_API_KEYS: keyHashes,
    PROOFROOM_REST_HOST: z.string().default("127.0.0.1"),
    PROOFROOM_REST_PORT: z.coerce.number().int().min(0).max(65_535).default(8_080),
    PROOFROOM_RATE: z.coerce.number().positive().max(10_000).default(50),
    PROOFROOM_LOG: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
    INIT_CWD: z.string().optional(),
  })
  .transform((env) => ({
    keys: env.PROOFROOM_API_KEYS,
    host: env.PROOFROOM_REST_HOST,
    port: env.PROOFROOM_REST_PORT,
    ratePerSecond: env.PROOFROOM_RATE,
    logLevel: env.PROOFROOM_LOG,
    initCwd: env.INIT_CWD,
  }));

const config = homeConfig.and(storeConfig).and(redisConfig).and(installConfig).and(gatewayConfig);

/** How many seconds' worth of requests a key may ask for at once. */
const burstSeconds = 2;

export interface Settings {
  home: string;
  store: StoreSettings;
  redisUrl: string | undefined;
  allowInstall: boolean;
  host: string;
  port: number;
  auth: AuthOptions;
  logLevel: "debug" | "info" | "warn" | "error" | "silent";
}

/**
 * Reads the settings from the environment.
 * @param places where the user stands, and the checkout, to which the default home belongs
 * @throws ProofroomError invalid_input, naming the variable
 */
export function readSettings(
  env: Readonly<Record<string, string | undefined>>,
  places: { cwd: string; checkout: string },
): Settings {
  try {
    const parsed = parseEnv(config, env);
    const cwd = parsed.initCwd ?? places.cwd;
    const home = env["PROOFROOM_HOME"] ? resolve(cwd, parsed.home) : resolve(places.checkout, parsed.home);
    const { store = { kind: "file", folder: home } } = parsed;
    return {
      home,
      store: {
        store:
          store.kind === "file" && !isAbsolute(store.folder)
            ? { kind: "file", folder: resolve(cwd, store.folder) }
            : store,
        s3: parsed.s3,
      },
      redisUrl: parsed.redisUrl?.reveal(),
      allowInstall: parsed.allowInstall,
      host: parsed.host,
      port: parsed.port,
      auth: {
        keys: parsed.keys,
        loopback: isLoopback(parsed.host),
        rate: { perSecond: parsed.ratePerSecond, burst: parsed.ratePerSecond * burstSeconds },
      },
      logLevel: parsed.logLevel,
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
