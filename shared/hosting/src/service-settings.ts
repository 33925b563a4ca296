import { type Config, ConfigError, logConfig, type Places, parseEnv, workersConfig } from "@proofroom/config";
import { capabilitiesOf, findCapability, type ServiceName } from "@proofroom/contracts";
import type { ServeShare } from "@proofroom/runtime";
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

/** The same settings may be given to every service: each takes what is its own of them. */
function shareOf(
  { queues, concurrency }: Pick<Config<typeof config>, "queues" | "concurrency">,
  service: ServiceName,
): ServeShare {
  const own = capabilitiesOf(service).map(({ name }) => name);
  for (const [variable, names] of [
    ["PROOFROOM_QUEUES", queues ?? []],
    ["PROOFROOM_CONCURRENCY", Object.keys(concurrency.of)],
  ] as const) {
    if (names.some((name) => findCapability(name) === undefined))
      throw new ConfigError(variable, `names a queue that is not there; ${service} has ${own.join(", ")}`);
  }
  if (queues !== undefined && !own.some((name) => queues.includes(name)))
    throw new ConfigError("PROOFROOM_QUEUES", `names no queue of ${service}, which has ${own.join(", ")}`);
  return {
    queues: queues === undefined ? undefined : new Set(queues),
    concurrencyOf: (name) => concurrency.of[name] ?? concurrency.all,
  };
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
    share: shareOf(parsed, service),
    graceMs: parsed.graceMs,
  };
}
