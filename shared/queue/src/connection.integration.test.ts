import { silentLogger } from "@proofroom/telemetry";
import { startTestRedis, type TestRedis } from "@proofroom/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connect, disconnect } from "./connection.ts";

let redis: TestRedis;

beforeAll(async () => {
  redis = await startTestRedis();
});

afterAll(async () => {
  await redis.close();
});

it.each(["producer", "worker"] as const)(
  "answers reach a %s in the shapes that BullMQ reads: lists of pairs, not the maps of RESP3",
  async (role) => {
    const connection = connect({ url: redis.url, role, log: silentLogger() });
    const id = await connection.xadd("stream", "*", "event", "completed");
    expect(await connection.xread("STREAMS", "stream", "0")).toContainEqual([
      "stream",
      expect.arrayContaining([[id, ["event", "completed"]]]),
    ]);
    await disconnect(connection);
  },
);
