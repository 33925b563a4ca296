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

function quotas(lateMs = 5_000) {
  const options = { minuteMs: windowMs, dayMs: 10_000, lateMs };
  return connections.map((connection) => createCallQuota(connection, options));
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

describe("a call that has lined up for room", () => {
  const limits = { tokens_per_minute: 100 };
  const waiting = (waiter: string, tokens: number) => ({ waiter, tokens, waitMs: windowMs });

  it("has its turn though small ones come all the time", async () => {
    const [others, its] = quotas();
    let done = false;
    const small = async () => {
      for (let first = true; !done; first = false) {
        const grant = await others?.reserve("m", limits, 10);
        if (grant?.granted === true) await others?.settle("m", grant.id, 10);
        if (!first) await pause(5);
      }
    };
    const stream = Promise.all(Array.from({ length: 4 }, small));
    await expect.poll(() => others?.reserve("m", limits, 10)).toMatchObject({ granted: false });
    let asked = 0;
    while (!done && asked < 10) {
      asked += 1;
      const grant = await its?.reserve("m", limits, 90, "large");
      done = grant?.granted === true;
      if (grant?.granted !== false) continue;
      expect(grant.crowded).toBe(true);
      await its?.lineUp("m", { waiter: "large", tokens: 90, waitMs: grant.waitMs });
      await pause(grant.waitMs);
    }
    const through = done;
    done = true;
    await stream;
    expect(through).toBe(true);
    expect(asked).toBeLessThan(5);
  });

  it("leaves the others what it does not need, and goes before those that lined up later", async () => {
    const [quota, other] = quotas();
    await quota?.lineUp("m", waiting("first", 50));
    await other?.lineUp("m", waiting("second", 60));
    const second = await other?.reserve("m", limits, 60, "second");
    expect(second?.granted === false && second.crowded && second.waitMs <= windowMs).toBe(true);
    expect(await other?.reserve("m", limits, 40, "third")).toMatchObject({ granted: false, crowded: true });
    expect(await quota?.reserve("m", limits, 50, "first")).toMatchObject({ granted: true });
    expect(await other?.reserve("n", limits, 40)).toMatchObject({ granted: true });
  });

  it("keeps its place when it lines up again, and gives it up when it is let through", async () => {
    const [quota] = quotas();
    await quota?.lineUp("m", waiting("first", 60));
    await quota?.lineUp("m", waiting("second", 60));
    await quota?.lineUp("m", waiting("first", 60));
    expect(await quota?.reserve("m", limits, 60, "second")).toMatchObject({ granted: false });
    const first = await quota?.reserve("m", limits, 60, "first");
    if (first?.granted === true) await quota?.settle("m", first.id, 0);
    expect(first).toMatchObject({ granted: true });
    expect(await quota?.reserve("m", limits, 60, "second")).toMatchObject({ granted: true });
    expect(await connections[0]?.hlen("{proofroom}:quota:m:line")).toBe(0);
  });

  it("is taken for gone when it does not come back, and holds nobody up", async () => {
    const [quota] = quotas(20);
    await quota?.lineUp("m", { waiter: "gone", tokens: 90, waitMs: 20 });
    await expect.poll(() => quota?.reserve("m", limits, 90)).toMatchObject({ granted: true });
  });

  it("keeps no room for longer than a minute, and no more than a hundred do", async () => {
    const [quota] = quotas();
    await quota?.lineUp("m", { waiter: "tomorrow", tokens: 90, waitMs: 9_000 });
    expect(await quota?.reserve("m", limits, 90)).toMatchObject({ granted: true });
    for (let n = 0; n <= 100; n += 1) await quota?.lineUp("n", waiting(`waiter ${n}`, 1));
    expect(await connections[0]?.hlen("{proofroom}:quota:n:line")).toBe(100);
    expect(await connections[0]?.pttl("{proofroom}:quota:n:line")).toBeGreaterThan(0);
  });
});

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
