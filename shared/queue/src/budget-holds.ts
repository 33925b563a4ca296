import type { BudgetHolds } from "@proofroom/contracts";
import type { Redis } from "ioredis";
import { z } from "zod";
import { keyPrefix } from "./connection.ts";
import { openScript } from "./script.ts";

/**
 * KEYS: the run's holds (hash: by id, when it came, when it ends, its amounts). ARGV: id, amounts, how long it lasts (ms). What
 * lasts longer than any can, since the server's clock was set back, is over as well.
 */
const holdScript = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local lasts = tonumber(ARGV[3])
local mine, last, others = nil, 0, {}
local known = redis.call('HGETALL', KEYS[1])
for at = 1, #known, 2 do
  local one = cjson.decode(known[at + 1])
  last = math.max(last, one.nth)
  if known[at] == ARGV[1] then mine = one.nth
  elseif one.ends < now or one.ends > now + lasts then redis.call('HDEL', KEYS[1], known[at])
  else others[#others + 1] = one end
end
mine = mine or last + 1
local hold = { nth = mine, ends = now + lasts, amounts = cjson.decode(ARGV[2]) }
redis.call('HSET', KEYS[1], ARGV[1], cjson.encode(hold))
redis.call('PEXPIRE', KEYS[1], lasts)
local before = {}
for _, one in ipairs(others) do
  if one.nth < mine then
    for kind, amount in pairs(one.amounts) do before[kind] = (before[kind] or 0) + amount end
  end
end
return cjson.encode(before)
`;

const amountsSchema = z.record(z.string(), z.number());

/** How long a hold lasts that is not renewed, in milliseconds. */
const lastsMs = 30_000;

/**
 * What calls under way hold of their runs' budgets, over the connection given, by Redis's own clock. A Redis that lost its data
 * knows of them again as soon as they are renewed.
 */
export function createBudgetHolds(connection: Redis, holdMs = lastsMs): BudgetHolds {
  const hold = openScript(connection, holdScript);
  const keyOf = (runId: string) => `${keyPrefix}:budget:${runId}`;
  return {
    renewMs: Math.ceil(holdMs / 3),
    async hold({ runId, id, amounts }) {
      const before = await hold([keyOf(runId)], [id, JSON.stringify(amounts), holdMs]);
      return amountsSchema.parse(JSON.parse(String(before)));
    },
    async release({ runId, id }) {
      await connection.hdel(keyOf(runId), id);
    },
  };
}
