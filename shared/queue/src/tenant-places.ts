import { type Capability, ProofroomError } from "@proofroom/contracts";
import type { Redis } from "ioredis";
import { keyPrefix } from "./connection.ts";
import { openScript } from "./script.ts";

/** How many jobs of one tenant each queue may have at work at one time, over all workers. */
export interface TenantPlaces {
  /**
   * Takes a place for a job that a worker has; what it answers gives the place back.
   * @throws ProofroomError quota, to wait without spending an attempt, where the tenant's places are taken; dependency_down
   */
  enter(capability: Capability, tenant: string, jobId: string): Promise<() => Promise<void>>;
}

/**
 * KEYS: the tenant's places (a set of job ids). ARGV: limit, job, prefix of the queue's keys. Whoever holds a place holds its
 * job's lock too: a place without one was left by a worker that is gone.
 */
const enterScript = `
for _, id in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  if redis.call('EXISTS', ARGV[3] .. id .. ':lock') == 0 then redis.call('SREM', KEYS[1], id) end
end
if redis.call('SISMEMBER', KEYS[1], ARGV[2]) == 1 then return 1 end
if redis.call('SCARD', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
redis.call('SADD', KEYS[1], ARGV[2])
return 1
`;

/** A job whose tenant has no place comes back after between one and two of these, in milliseconds: not all at once. */
const comeBackMs = 1_000;

/** Places over the connection given, which stays the caller's. */
export function createTenantPlaces(connection: Redis, limit: number): TenantPlaces {
  const enter = openScript(connection, enterScript);
  return {
    async enter(capability, tenant, jobId) {
      const places = `${keyPrefix}:places:${capability.name}:${tenant}`;
      const taken = await enter([places], [limit, jobId, `${keyPrefix}:${capability.name}:`]);
      if (Number(taken) !== 1) {
        throw new ProofroomError({
          code: "quota",
          message: `As many jobs of ${capability.name} as its tenant may have are at work.`,
          disposition: { kind: "wait", delayMs: Math.round(comeBackMs * (1 + Math.random())) },
        });
      }
      // A worker that is gone, or a Redis that is away, frees it by the lock's end.
      return async () => void (await connection.srem(places, jobId).catch(() => undefined));
    },
  };
}
