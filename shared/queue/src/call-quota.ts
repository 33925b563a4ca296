import { randomUUID } from "node:crypto";
import type { CallQuota } from "@proofroom/contracts";
import type { Redis } from "ioredis";
import { keyPrefix } from "./connection.ts";
import { openScript } from "./script.ts";

export interface CallQuotaOptions {
  /** How long the two windows are, in milliseconds: a minute and a day. */
  minuteMs?: number;
  dayMs?: number;
}

/**
 * How long after its reservation a call has reached the other side for certain, in milliseconds. Its place in a window
 * counts from then, or from its end where that was sooner: the other side's clock begins when the call arrives.
 */
const arrivalMs = 2_000;

/**
 * Reserves a call, or answers how long to wait. KEYS: calls (sorted set, id by the time of arrival), tokens (hash, by
 * id, and their `sum`), cooling. ARGV: id, tokens, arrival; then for each window its length, its limit of calls and of tokens
 * (0: none); what has no limit at all is not counted. What a day holds is not gone through with every call: its calls are counted from their order and its tokens by
 * the sum, and only where that is too much are the oldest looked at. What lies further ahead than a call can, since the
 * server's clock was set back, counts from now.
 */
const reserveScript = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local wait = math.max(redis.call('PTTL', KEYS[3]), 0)
if ARGV[5] + ARGV[6] + ARGV[8] + ARGV[9] == 0 then return wait end
local longest = math.max(tonumber(ARGV[4]), tonumber(ARGV[7]))
local page = 100
local function weight(id) return tonumber(redis.call('HGET', KEYS[2], id) or 0) end
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. (now + ARGV[3]), '+inf')) do
  redis.call('ZADD', KEYS[1], now + ARGV[3], id)
end
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now - longest)) do
  redis.call('HINCRBY', KEYS[2], 'sum', 0 - weight(id))
  redis.call('ZREM', KEYS[1], id)
  redis.call('HDEL', KEYS[2], id)
end
local function await_end(score, length) wait = math.max(wait, score + length - now) end
local function look_from_oldest(length, excess)
  for from = 0, redis.call('ZCARD', KEYS[1]) - 1, page do
    local calls = redis.call('ZRANGE', KEYS[1], from, from + page - 1, 'WITHSCORES')
    for place = 1, #calls, 2 do
      excess = excess - weight(calls[place])
      if excess <= 0 then return await_end(calls[place + 1], length) end
    end
  end
end
local function look_from_newest(length, room)
  for from = 0, redis.call('ZCARD', KEYS[1]) - 1, page do
    local since = '(' .. (now - length)
    local calls = redis.call('ZREVRANGEBYSCORE', KEYS[1], '+inf', since, 'WITHSCORES', 'LIMIT', from, page)
    if #calls == 0 then return end
    local ids = {}
    for place = 1, #calls, 2 do ids[#ids + 1] = calls[place] end
    for n, had in ipairs(redis.call('HMGET', KEYS[2], unpack(ids))) do
      room = room - tonumber(had or 0)
      if room < 0 then return await_end(calls[2 * n], length) end
    end
  end
end
for at = 4, 7, 3 do
  local length, calls, tokens = tonumber(ARGV[at]), tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  if calls > 0 then
    local full = redis.call('ZREVRANGE', KEYS[1], calls - 1, calls - 1, 'WITHSCORES')[2]
    if full then await_end(full, length) end
  end
  if tokens > 0 then
    local room = tokens - math.min(tonumber(ARGV[2]), tokens)
    if length < longest then look_from_newest(length, room) else
      local excess = weight('sum') - room
      if excess > 0 then look_from_oldest(length, excess) end
    end
  end
end
if wait > 0 then return wait end
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.call('HINCRBY', KEYS[2], 'sum', ARGV[2])
redis.call('PEXPIRE', KEYS[1], longest + ARGV[3])
redis.call('PEXPIRE', KEYS[2], longest + ARGV[3])
return 0
`;

/** KEYS: calls, tokens. ARGV: id, tokens. A call that is no longer in any window is left out of them. */
const settleScript = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
if redis.call('ZADD', KEYS[1], 'XX', 'LT', 'CH', now, ARGV[1]) == 1 or redis.call('ZSCORE', KEYS[1], ARGV[1]) then
  redis.call('HINCRBY', KEYS[2], 'sum', ARGV[2] - (redis.call('HGET', KEYS[2], ARGV[1]) or 0))
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
end
return 0
`;

/** KEYS: cooling. ARGV: milliseconds. */
const coolScript = `
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], 1, 'PX', ARGV[1]) end
return 0
`;

/** Tokens are counted in whole numbers that Redis and Lua both keep exactly. */
const mostTokens = 2 ** 40;

function wholeTokens(tokens: number): number {
  return Math.ceil(Math.min(Math.max(tokens, 0), mostTokens)) || 0;
}

const minute = 60_000;
const day = 24 * 60 * minute;

/**
 * Limits that all workers share, over the connection given: sliding windows by Redis's own clock, so that no window of
 * the other side's ever holds more than the limit, however the workers' clocks differ.
 */
export function createCallQuota(connection: Redis, options: CallQuotaOptions = {}): CallQuota {
  const { minuteMs = minute, dayMs = day } = options;
  const reserve = openScript(connection, reserveScript);
  const settle = openScript(connection, settleScript);
  const cool = openScript(connection, coolScript);

  const keysOf = (target: string) => {
    const base = `${keyPrefix}:quota:${target}`;
    return { calls: `${base}:calls`, tokens: `${base}:tokens`, cooling: `${base}:cooling` };
  };

  return {
    async reserve(target, limits, tokens) {
      const { calls, tokens: weights, cooling } = keysOf(target);
      const id = randomUUID();
      const windows = [
        [minuteMs, limits.requests_per_minute ?? 0, limits.tokens_per_minute ?? 0],
        [dayMs, limits.requests_per_day ?? 0, limits.tokens_per_day ?? 0],
      ].flat();
      const keys = [calls, weights, cooling];
      const waitMs = Number(await reserve(keys, [id, wholeTokens(tokens), arrivalMs, ...windows]));
      return waitMs > 0 ? { granted: false, waitMs } : { granted: true, id };
    },
    async settle(target, id, tokens) {
      const { calls, tokens: weights } = keysOf(target);
      await settle([calls, weights], [id, wholeTokens(tokens)]);
    },
    async cool(target, forMs) {
      if (forMs < 1) return;
      await cool([keysOf(target).cooling], [Math.ceil(forMs)]);
    },
  };
}
