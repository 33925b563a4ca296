import { type Config, ConfigError, type workersConfig } from "@proofroom/config";
import { type Capability, findCapability } from "@proofroom/contracts";
import type { ServeShare } from "@proofroom/runtime";

/**
 * What of the work that a process could do it does, as its settings say.
 * @param own what it could do
 * @param whose in an error: whose that is
 * @throws ConfigError where a queue is named that is not there, or none that the process could serve
 */
export function serveShare(
  { queues, concurrency }: Pick<Config<typeof workersConfig>, "queues" | "concurrency">,
  { own, whose }: { own: readonly Capability[]; whose: string },
): ServeShare {
  const names = own.map(({ name }) => name);
  for (const [variable, given] of [
    ["PROOFROOM_QUEUES", queues ?? []],
    ["PROOFROOM_CONCURRENCY", Object.keys(concurrency.of)],
  ] as const) {
    if (given.some((name) => findCapability(name) === undefined))
      throw new ConfigError(variable, `names a queue that is not there; ${whose} has ${names.join(", ")}`);
  }
  if (queues !== undefined && !names.some((name) => queues.includes(name)))
    throw new ConfigError("PROOFROOM_QUEUES", `names no queue of ${whose}, which has ${names.join(", ")}`);
  return {
    queues: queues === undefined ? undefined : new Set(queues),
    concurrencyOf: (name) => concurrency.of[name] ?? concurrency.all,
  };
}
