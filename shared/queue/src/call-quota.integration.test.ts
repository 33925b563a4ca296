import { setTimeout as pause } from "node:timers/promises";
import { silentLogger } from "@proofroom/telemetry";
import { startTestRedis, type TestRedis } from "@proofroom/testing";
import type { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCallQuota } from "./call-quota.ts";
import { connect, disconnect } from "./connection.ts";

let redis: TestRedis;
let connections: Redis[];

beforeEach(async () => {
  redis = await startTestRedis();
  connections = [1, 2].map(() => connect({ url: redis.url, role: "worker", log: silentLogger() }));
});

afterEach(async () => {
  for (const connection of connections) await disconnect(connection);
  await redis.close();
});

const windowMs = 600;

function quotas() {
  return connections.map((connection) => createCallQuota(connection, { minuteMs: windowMs, dayMs: 10_000 }));
}

/** Calls as eight workers of two processes would, and answers when each call reached the other side. */
async function callAll(count: number, limits: Parameters<ReturnType<typeof createCallQuota>["reserve"]>[1]) {
  const arrivals: number[] = [];
  let left = count;
  const worker = async (quota: ReturnType<typeof createCallQuota>) => {
    while (left > 0) {
      left -= 1;
      for (;;) {
        const grant = await quota.reserve("m", limits, 10);
        if (grant.granted) {
          arrivals.push(performance.now());
          await quota.settle("m", grant.id, 10);
          break;
        }
        await pause(grant.waitMs);
      }
    }
  };
  await Promise.all(quotas().flatMap((quota) => Array.from({ length: 4 }, () => worker(quota))));
  return arrivals.sort((a, b) => a - b);
}

describe("a quota that workers share", () => {
  it("never lets more calls into any window than its limit, and lets all of them through", async () => {
    const arrivals = await callAll(50, { requests_per_minute: 10 });
    expect(arrivals).toHaveLength(50);
    arrivals.forEach((at, n) => {
      const tenth = arrivals[n + 10];
      if (tenth !== undefined) expect(tenth - at).toBeGreaterThanOrEqual(windowMs - 1);
    });
  });

  it("counts tokens as reserved until it knows better, and as they were then", async () => {
    const [quota] = quotas();
    const limits = { tokens_per_minute: 100 };
    const first = await quota?.reserve("m", limits, 90);
    expect(await quota?.reserve("m", limits, 20)).toMatchObject({ granted: false });
    if (first?.granted === true) await quota?.settle("m", first.id, 5);
    expect(await quota?.reserve("m", limits, 20)).toMatchObject({ granted: true });
  });

  it("lets a call through that is larger than the limit itself, alone", async () => {
    const [quota] = quotas();
    const limits = { tokens_per_minute: 100 };
    expect(await quota?.reserve("m", limits, 5_000)).toMatchObject({ granted: true });
    expect(await quota?.reserve("m", limits, 1)).toMatchObject({ granted: false });
  });

  it("keeps the day's limit when the minute's would let a call through", async () => {
    const [quota] = quotas();
    const limits = { requests_per_minute: 100, requests_per_day: 1 };
    await quota?.reserve("m", limits, 1);
    const grant = await quota?.reserve("m", limits, 1);
    expect(grant?.granted === false && grant.waitMs > windowMs * 5).toBe(true);
  });

  it("keeps everybody from a model that cools, and from no other; a shorter time does not end a longer one", async () => {
    const [one, other] = quotas();
    await one?.cool("m", 5_000);
    await one?.cool("m", 10);
    const grant = await other?.reserve("m", {}, 1);
    expect(grant?.granted === false && grant.waitMs > 1_000).toBe(true);
    expect(await other?.reserve("n", {}, 1)).toMatchObject({ granted: true });
    expect(await connections[0]?.keys("{proofroom}:quota:n:*")).toEqual([]);
  });

  it("keeps the day's limit of tokens by what calls really had, and says when enough of them have left", async () => {
    const [quota] = quotas();
    const limits = { tokens_per_day: 100 };
    const grants = [];
    for (const tokens of [30, 30, 30]) grants.push(await quota?.reserve("m", limits, tokens));
    expect(await quota?.reserve("m", limits, 20)).toMatchObject({ granted: false });
    const [first, second] = grants;
    if (first?.granted === true) await quota?.settle("m", first.id, 5);
    expect(await quota?.reserve("m", limits, 20)).toMatchObject({ granted: true });
    if (second?.granted === true) await quota?.settle("m", second.id, 45.5);
    expect(await quota?.reserve("m", limits, 1)).toMatchObject({ granted: false });
    // The oldest has left when its place is a day old: what it leaves is too little for more.
    await connections[0]?.zadd("{proofroom}:quota:m:calls", 1, first?.granted === true ? first.id : "");
    expect(await quota?.reserve("m", limits, 5)).toMatchObject({ granted: false });
    expect(await quota?.reserve("m", limits, 4)).toMatchObject({ granted: true });
  });

  it("counts calls of before its server's clock was set back as made now, and nobody waits for the old time", async () => {
    const [quota] = quotas();
    const ahead = Date.now() + 3_600_000;
    await connections[0]?.zadd("{proofroom}:quota:m:calls", ahead, "a", ahead, "b");
    const grant = await quota?.reserve("m", { requests_per_minute: 2 }, 1);
    expect(grant?.granted === false && grant.waitMs <= windowMs + 2_000).toBe(true);
  });

  it("takes no longer over a call where the day has held thousands", async () => {
    const [connection] = connections;
    const quota = connection === undefined ? undefined : createCallQuota(connection);
    const limits = { requests_per_day: 3_001, tokens_per_day: 30_000_000 };
    await Promise.all(Array.from({ length: 3_000 }, () => quota?.reserve("m", limits, 10_000)));
    const work = async () => {
      const stats = (await connection?.info("commandstats")) ?? "";
      return [...stats.matchAll(/^cmdstat_[^:]+:calls=(\d+)/gm)].reduce((sum, [, n]) => sum + Number(n), 0);
    };
    const before = await work();
    expect(await quota?.reserve("m", limits, 5)).toMatchObject({ granted: false });
    const done = (await work()) - before;
    expect(done).toBeGreaterThan(5);
    expect(done).toBeLessThan(20);
  });

  it.each([0.25, Number.NaN, Number.POSITIVE_INFINITY, -7])(
    "takes %d tokens for a number",
    async (tokens) => {
      const [quota] = quotas();
      const limits = { tokens_per_minute: 1_000, tokens_per_day: 1_000 };
      const grant = await quota?.reserve("m", limits, tokens);
      expect(grant).toMatchObject({ granted: true });
      if (grant?.granted === true) await quota?.settle("m", grant.id, tokens);
      const sum = await connections[0]?.hget("{proofroom}:quota:m:tokens", "sum");
      expect(Number(sum)).toBeGreaterThanOrEqual(0);
    },
  );

  it("says that Redis is away, and goes on when it is back", async () => {
    const failing = connect({ url: redis.url, role: "producer", log: silentLogger() });
    connections.push(failing);
    const quota = createCallQuota(failing);
    await quota.reserve("m", {}, 1);
    await redis.kill();
    await expect(quota.reserve("m", {}, 1)).rejects.toMatchObject({ code: "dependency_down" });
    await redis.restart();
    await expect
      .poll(() => quota.reserve("m", {}, 1).catch(() => null), { timeout: 10_000 })
      .toMatchObject({ granted: true });
  });
});
