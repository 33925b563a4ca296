import { silentLogger } from "@proofroom/telemetry";
import { startTestRedis, type TestRedis } from "@proofroom/testing";
import type { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createBudgetHolds } from "./budget-holds.ts";
import { connect, disconnect, keyPrefix } from "./connection.ts";

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

/** As two processes have them. */
function open(holdMs?: number) {
  const [one, other] = connections.map((connection) => createBudgetHolds(connection, holdMs));
  if (one === undefined || other === undefined) throw new Error("There are no two connections.");
  return { one, other };
}

const runId = "run_01ARZ3NDEKTSV4RRFFQ69G5FAV";
const hold = (id: string, usd: number, of = runId) => ({ runId: of, id, amounts: { usd } });

describe("what calls hold of a run's budget", () => {
  it("is what those of any process hold that came before, and of no other run", async () => {
    const { one, other } = open();
    expect(await one.hold(hold("a", 0.25))).toEqual({});
    expect(await other.hold({ runId, id: "b", amounts: { searches: 1, usd: 0.5 } })).toEqual({ usd: 0.25 });
    expect(await one.hold(hold("c", 1))).toEqual({ usd: 0.75, searches: 1 });
    expect(await other.hold(hold("a", 1, `${runId}2`))).toEqual({});
  });

  it("keeps its order when it is renewed, and is nothing once all have ended", async () => {
    const { one, other } = open();
    await one.hold(hold("a", 0.1));
    await other.hold(hold("b", 0.2));
    expect(await one.hold(hold("a", 0.1))).toEqual({});
    await one.release({ runId, id: "a" });
    expect(await other.hold(hold("b", 0.2))).toEqual({});
    await other.release({ runId, id: "b" });
    expect(await connections[0]?.keys(`${keyPrefix}:budget:*`)).toEqual([]);
  });

  it("ends with a process that is gone, however often others come, and not with one that renews it", async () => {
    const { one, other } = open(200);
    await one.hold(hold("gone", 1));
    await one.hold(hold("there", 2));
    await expect
      .poll(async () => {
        await one.hold(hold("there", 2));
        return other.hold(hold("mine", 4));
      })
      .toEqual({ usd: 2 });
  });

  it("is known again by a Redis that has lost its data once it is renewed", async () => {
    const { one, other } = open();
    await one.hold(hold("a", 1));
    await connections[0]?.flushall();
    await one.hold(hold("a", 1));
    expect(await other.hold(hold("b", 1))).toEqual({ usd: 1 });
  });

  it("does not last for longer where the server's clock was set back", async () => {
    const { one, other } = open();
    const ahead = JSON.stringify({ nth: 1, ends: Date.now() + 3_600_000, amounts: { usd: 1 } });
    await connections[0]?.hset(`${keyPrefix}:budget:${runId}`, "old", ahead);
    expect(await one.hold(hold("a", 1))).toEqual({});
    expect(await other.hold(hold("b", 1))).toEqual({ usd: 1 });
  });
});
