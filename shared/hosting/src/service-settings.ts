import { type Config, ConfigError, logConfig, type Places, parseEnv, workersConfig } from "@proofroom/config";
import { capabilitiesOf, type ServiceName } from "@proofroom/contracts";
import type { ServeShare } from "@proofroom/runtime";
import { serveShare } from "./serve-share.ts";
import { type WorkSettings, workConfig, workSettings } from "./work-settings.ts";

const config = workConfig.and(workersConfig).and(logConfig("info"));

export interface ServiceSettings extends WorkSettings {
  redis: NonNullable<WorkSettings["redis"]>;
  logLevel: Config<typeof config>["logLevel"];
  /** What of the service's work this process does. */
  share: ServeShare;
  /** How long jobs may take to end when it is told to, in milliseconds. */
  graceMs: number;
}

/**
 * Reads the settings of one service. It starts no Redis: it needs that which the others use.
 * @throws ConfigError naming the variable
 */
export function readServiceSettings(
  env: Readonly<Record<string, string | undefined>>,
  places: Places,
  service: ServiceName,
): ServiceSettings {
  const parsed = parseEnv(config, env);
  if (parsed.redis === undefined) throw new ConfigError("REDIS_URL", "must be set");
  return {
    ...workSettings(parsed, env, places),
    redis: parsed.redis,
    logLevel: parsed.logLevel,
    // The same settings may be given to every service: each takes what is its own of them.
    share: serveShare(parsed, { own: capabilitiesOf(service), whose: service }),
    graceMs: parsed.graceMs,
  };
}
