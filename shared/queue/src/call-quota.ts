import { randomUUID } from "node:crypto";
import type { CallQuota } from "@proofroom/contracts";
import type { Redis } from "ioredis";
import { keyPrefix } from "./connection.ts";
import { openScript } from "./script.ts";

export interface CallQuotaOptions {
  /** How long the two windows are, in milliseconds: a minute and a day. */
  minuteMs?: number;
  dayMs?: number;
  /** How much later than it said a call that has lined up may ask again, in milliseconds; then it is taken for gone. */
  lateMs?: number;
}

/**
 * How long after its reservation a call has reached the other side for certain, in milliseconds. Its place in a window
 * counts from then, or from its end where that was sooner: the other side's clock begins when the call arrives.
 */
const arrivalMs = 2_000;

/** How long a call waits, in milliseconds, where the one before it in the line is late. */
const askAgainMs = 250;

/**
 * Reserves a call, or answers how long to wait, and whether for room in the minute. KEYS: calls (sorted set, id by the time of
 * arrival), tokens (hash, by id, and their `sum`), cooling, line (hash: when each waiter came, when it asks again, its tokens).
 * ARGV: id, tokens, arrival; then for each window its length, its limit of calls and of tokens (0: none); what has no limit at
 * all is not counted; how late a waiter may be; the waiter. A call finds in the minute only what those before it in the line
 * leave: where that is less than it needs, it asks again when the first of them has. What a day holds is not gone through with
 * every call: its calls are counted from their order and its tokens by the sum, and only where that is too much are the oldest
 * looked at. What lies further ahead than a call can, since the server's clock was set back, counts from now.
 */
const reserveScript = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local wait, crowded = math.max(redis.call('PTTL', KEYS[3]), 0), 0
if ARGV[5] + ARGV[6] + ARGV[8] + ARGV[9] == 0 then return { wait, 0 } end
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
local since, listed, line = math.huge, false, {}
local known = redis.call('HGETALL', KEYS[4])
for at = 1, #known, 2 do
  local came, back, had = string.match(known[at + 1], '(%d+) (%d+) (%d+)')
  local isGone = back + ARGV[10] < now or back - now > ARGV[4] + ARGV[3]
  if isGone then redis.call('HDEL', KEYS[4], known[at])
  elseif known[at] == ARGV[11] then since, listed, crowded = tonumber(came), true, 1
  else line[#line + 1] = { came = tonumber(came), back = tonumber(back), had = tonumber(had) } end
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
      if room < 0 then
        crowded = 1
        return await_end(calls[2 * n], length)
      end
    end
  end
end
local function look_past_line(length, limit, room)
  local first = nil
  for _, other in ipairs(line) do
    if other.came < since then
      room = room - math.min(other.had, limit)
      first = math.min(first or other.back, other.back)
    end
  end
  if first == nil or room >= 0 then return look_from_newest(length, room) end
  crowded = 1
  wait = math.max(wait, first - now, ${askAgainMs})
end
for at = 4, 7, 3 do
  local length, calls, tokens = tonumber(ARGV[at]), tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  if calls > 0 then
    local full = redis.call('ZREVRANGE', KEYS[1], calls - 1, calls - 1, 'WITHSCORES')[2]
    if full then await_end(full, length) end
  end
  if tokens > 0 then
    local room = tokens - math.min(tonumber(ARGV[2]), tokens)
    if length < longest then look_past_line(length, tokens, room) else
      local excess = weight('sum') - room
      if excess > 0 then look_from_oldest(length, excess) end
    end
  end
end
if wait > 0 then return { wait, crowded } end
if listed then redis.call('HDEL', KEYS[4], ARGV[11]) end
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.call('HINCRBY', KEYS[2], 'sum', ARGV[2])
redis.call('PEXPIRE', KEYS[1], longest + ARGV[3])
redis.call('PEXPIRE', KEYS[2], longest + ARGV[3])
return { 0, 0 }
`;

/** How many calls may wait in a line; one more waits without a place in it. */
const longestLine = 100;

/** KEYS: line. ARGV: waiter, tokens, milliseconds until it asks again, for how long any waits at most. It keeps its place. */
const lineUpScript = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local known = redis.call('HGET', KEYS[1], ARGV[1])
if not known and redis.call('HLEN', KEYS[1]) >= ${longestLine} then return 0 end
local since = now
for _, other in ipairs(redis.call('HVALS', KEYS[1])) do
  since = math.max(since, tonumber(string.match(other, '%d+')) + 1)
end
if known then since = tonumber(string.match(known, '%d+')) end
redis.call('HSET', KEYS[1], ARGV[1], string.format('%d %d %s', since, now + ARGV[3], ARGV[2]))
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1
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
const late = 5_000;

/**
 * Limits that all workers share, over the connection given: sliding windows by Redis's own clock, so that no window of
 * the other side's ever holds more than the limit, however the workers' clocks differ.
 */
export function createCallQuota(connection: Redis, options: CallQuotaOptions = {}): CallQuota {
  const { minuteMs = minute, dayMs = day, lateMs = late } = options;
  const reserve = openScript(connection, reserveScript);
  const settle = openScript(connection, settleScript);
  const cool = openScript(connection, coolScript);
  const lineUp = openScript(connection, lineUpScript);

  const keysOf = (target: string) => {
    const base = `${keyPrefix}:quota:${target}`;
    const named = { calls: `${base}:calls`, tokens: `${base}:tokens`, cooling: `${base}:cooling` };
    return { ...named, line: `${base}:line` };
  };

  return {
    async reserve(target, limits, tokens, waiter = "") {
      const { calls, tokens: weights, cooling, line } = keysOf(target);
      const id = randomUUID();
      const windows = [
        [minuteMs, limits.requests_per_minute ?? 0, limits.tokens_per_minute ?? 0],
        [dayMs, limits.requests_per_day ?? 0, limits.tokens_per_day ?? 0],
      ].flat();
      const args = [id, wholeTokens(tokens), arrivalMs, ...windows, lateMs, waiter];
      const [waitMs, crowded] = (await reserve([calls, weights, cooling, line], args)) as [number, number];
      return waitMs > 0 ? { granted: false, waitMs, crowded: crowded === 1 } : { granted: true, id };
    },
    async lineUp(target, { waiter, tokens, waitMs }) {
      // What has no room before another limit lets it through is not to hold up all others for so long.
      const longestMs = minuteMs + arrivalMs;
      if (waitMs > longestMs) return;
      const args = [waiter, wholeTokens(tokens), Math.ceil(waitMs), longestMs + lateMs];
      await lineUp([keysOf(target).line], args);
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
