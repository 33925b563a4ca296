import { type Capability, ProofroomError } from "@proofroom/contracts";
import type { Redis } from "ioredis";
import { keyPrefix } from "./connection.ts";
import { interrupted } from "./disposition.ts";
import { openScript } from "./script.ts";

/** A job as one worker has it. A worker that froze and the one that has the job since then have it under two tokens. */
export interface HeldJob {
  jobId: string;
  /** What stands in the job's lock for as long as it is the worker's. */
  token: string;
}

/** How many jobs of one tenant each queue may have at work at one time, over all workers. */
export interface TenantPlaces {
  /**
   * Takes a place for a job that a worker has; what it answers gives that place back, and nobody else's.
   * @throws ProofroomError quota, to wait without spending an attempt, where the tenant's places are taken; cancelled, as an
   *   interruption, where another worker has the job by now; dependency_down
   */
  enter(capability: Capability, tenant: string, held: HeldJob): Promise<() => Promise<void>>;
}

/**
 * KEYS: the tenant's places (a hash, token by job). ARGV: limit, job, token, prefix of the queue's keys. A place belongs to
 * whoever holds its job's lock: one whose token does not stand there any more was left by a worker that is gone, or frozen.
 */
const enterScript = `
local function holds(id, token) return redis.call('GET', ARGV[4] .. id .. ':lock') == token end
if not holds(ARGV[2], ARGV[3]) then return -1 end
local places = redis.call('HGETALL', KEYS[1])
for at = 1, #places, 2 do
  if not holds(places[at], places[at + 1]) then redis.call('HDEL', KEYS[1], places[at]) end
end
if redis.call('HEXISTS', KEYS[1], ARGV[2]) == 1 then return 1 end
if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
return 1
`;

/** KEYS: the tenant's places. ARGV: job, token. */
const leaveScript = `
if redis.call('HGET', KEYS[1], ARGV[1]) == ARGV[2] then redis.call('HDEL', KEYS[1], ARGV[1]) end
return 0
`;

/** A job whose tenant has no place comes back after between one and two of these, in milliseconds: not all at once. */
const comeBackMs = 1_000;

function placesAreTaken(capability: Capability): ProofroomError {
  return new ProofroomError({
    code: "quota",
    message: `As many jobs of ${capability.name} as its tenant may have are at work.`,
    disposition: { kind: "wait", delayMs: Math.round(comeBackMs * (1 + Math.random())) },
  });
}

/** Places over the connection given, which stays the caller's. */
export function createTenantPlaces(connection: Redis, limit: number): TenantPlaces {
  const enter = openScript(connection, enterScript);
  const leave = openScript(connection, leaveScript);
  return {
    async enter(capability, tenant, { jobId, token }) {
      const places = `${keyPrefix}:tenant-places:${capability.name}:${tenant}`;
      const answer = Number(await enter([places], [limit, jobId, token, `${keyPrefix}:${capability.name}:`]));
      if (answer === -1) throw interrupted(capability);
      if (answer !== 1) throw placesAreTaken(capability);
      // A worker that is gone, or a Redis that is away, frees it by the lock's end.
      return async () => void (await leave([places], [jobId, token]).catch(() => undefined));
    },
  };
}
