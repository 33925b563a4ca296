import { verifyCitations } from "@proofroom/contracts";
import { silentLogger } from "@proofroom/telemetry";
import { startTestRedis, type TestRedis } from "@proofroom/testing";
import type { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connect, disconnect, keyPrefix } from "./connection.ts";
import { createTenantPlaces } from "./tenant-places.ts";

let redis: TestRedis;
let connection: Redis;

beforeEach(async () => {
  redis = await startTestRedis();
  connection = connect({ url: redis.url, role: "worker", log: silentLogger() });
});

afterEach(async () => {
  await disconnect(connection);
  await redis.close();
});

/** Locks a job for a worker, as BullMQ does; whoever had it has it no more. */
async function take(jobId: string, token: string) {
  await connection.set(`${keyPrefix}:${verifyCitations.name}:${jobId}:lock`, token);
  return { jobId, token };
}

const enter = (held: { jobId: string; token: string }, limit = 1) =>
  createTenantPlaces(connection, limit).enter(verifyCitations, "default", held);

const taken = { code: "quota", disposition: { kind: "wait" } };

describe("a place of a tenant", () => {
  it("is given back by whoever has it, and then had by another", async () => {
    const leave = await enter(await take("a", "1"));
    await expect(enter(await take("b", "2"))).rejects.toMatchObject(taken);
    await leave();
    await (await enter({ jobId: "b", token: "2" }))();
    expect(await connection.keys(`${keyPrefix}:tenant-places:*`)).toEqual([]);
  });

  it("is not given back by a worker that froze, and wakes when another has its job", async () => {
    const leaveLate = await enter(await take("a", "1"));
    const leave = await enter(await take("a", "2"));
    await leaveLate();
    await expect(enter(await take("b", "3"))).rejects.toMatchObject(taken);
    await leave();
    await enter({ jobId: "b", token: "3" });
  });

  it("is not taken by a worker that froze before it asked for one", async () => {
    const frozen = await take("a", "1");
    const leave = await enter(await take("a", "2"));
    await expect(enter(frozen)).rejects.toMatchObject({
      code: "cancelled",
      disposition: { kind: "retry" },
    });
    await leave();
    await enter(await take("b", "3"));
  });

  it("is free as soon as the job of a worker that froze is another's, whoever asks", async () => {
    await enter(await take("a", "1"));
    await take("a", "2");
    await enter(await take("b", "3"));
  });
});
