import type { Redis } from "ioredis";
import { keyPrefix } from "./connection.ts";
import { openScript } from "./script.ts";

/** Whose jobs they are: runs of one tenant share the tenant's part of a queue. */
export interface Owner {
  tenant: string;
  runId: string;
}

export interface FairTurns {
  /**
   * Turns for so many further jobs of a run, in their order: priorities of BullMQ, of which the smaller goes first.
   * @throws ProofroomError dependency_down
   */
  take(queue: string, owner: Owner, count: number): Promise<readonly number[]>;
}

/** The largest priority that BullMQ has. */
const lastTurn = 2 ** 21 - 1;

/** BullMQ's score of a waiting job is its priority times this, and a counter. */
const scorePerPriority = 2 ** 32;

/**
 * Start-time fair queueing (Goyal, Vin and Chen, 1996), with jobs of equal weight. KEYS: last turns (hash, by tenant and run),
 * the queue's waiting jobs by score. ARGV: tenant, run, count. The clock is the turn of the job that is next; where none
 * waits, all begin anew. A run's turns lie as far apart as its
 * tenant has runs that wait already: of n the last has an nth of what the first has.
 */
const takeScript = `
local first = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2]
local clock = first and math.floor(first / ${scorePerPriority}) or 0
if not first then redis.call('DEL', KEYS[1]) end
local own, of_tenant = ARGV[1] .. ' ' .. ARGV[2], ARGV[1] .. ' '
local turn, apart = clock, 1
local last = redis.call('HGETALL', KEYS[1])
for at = 1, #last, 2 do
  local name, known = last[at], tonumber(last[at + 1])
  if name == own then turn = math.max(turn, known)
  elseif known <= clock then redis.call('HDEL', KEYS[1], name)
  elseif string.sub(name, 1, #of_tenant) == of_tenant then apart = apart + 1 end
end
local turns = {}
for nth = 1, tonumber(ARGV[3]) do
  turn = math.min(turn + apart, ${lastTurn})
  turns[nth] = turn
end
redis.call('HSET', KEYS[1], own, turn)
redis.call('PEXPIRE', KEYS[1], 86400000)
return turns
`;

/**
 * Has those who wait for the same queue be served in turns, over the connection given: a run of 200 sources takes as
 * many turns, and one that comes later with five is not behind all of them.
 */
export function createFairTurns(connection: Redis): FairTurns {
  const take = openScript(connection, takeScript);
  return {
    async take(queue, { tenant, runId }, count) {
      const base = `${keyPrefix}:${queue}`;
      const turns = await take([`${base}:turns`, `${base}:prioritized`], [tenant, runId, count]);
      return (turns as unknown[]).map(Number);
    },
  };
}
