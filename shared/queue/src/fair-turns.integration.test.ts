import { type Capability, ingestWebPage } from "@proofroom/contracts";
import { silentLogger } from "@proofroom/telemetry";
import { startTestRedis, type TestRedis } from "@proofroom/testing";
import type { Queue } from "bullmq";
import fc from "fast-check";
import type { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connect, disconnect } from "./connection.ts";
import { createFairTurns, type FairTurns } from "./fair-turns.ts";
import { createQueuePool, type QueuePool } from "./queue-pool.ts";
import type { StepJob } from "./step-job.ts";

let redis: TestRedis;
let connection: Redis;
let pool: QueuePool;
let turns: FairTurns;
let queue: Queue<StepJob>;

const capability: Capability = ingestWebPage;

beforeAll(async () => {
  redis = await startTestRedis();
  connection = connect({ url: redis.url, role: "worker", log: silentLogger() });
  pool = createQueuePool(connection);
  turns = createFairTurns(connection);
  queue = pool.of(capability);
});

beforeEach(async () => void (await connection.flushall()));

afterAll(async () => {
  await pool.close();
  await disconnect(connection);
  await redis.close();
});

/** A run's name in these tests; its first letter is its tenant. */
async function submit(run: string, count: number): Promise<void> {
  const owner = { tenant: run.slice(0, 1), runId: run };
  for (const priority of await turns.take(capability.name, owner, count))
    await queue.add(run, {} as StepJob, { priority });
}

/** Serves so many jobs, all that wait by default; answers whose they were. */
async function served(count = Number.POSITIVE_INFINITY): Promise<string[]> {
  const names: string[] = [];
  while (names.length < count) {
    const [next] = await queue.getPrioritized(0, 0);
    if (next === undefined) break;
    await next.remove();
    names.push(next.name);
  }
  return names;
}

const of = (names: readonly string[], run: string) => names.filter((name) => name === run).length;

describe("jobs of several runs in one queue", () => {
  it("are served in turns: a run with five sources does not wait for one with two hundred", async () => {
    await submit("a1", 200);
    await served(20);
    await submit("b1", 5);
    expect(of(await served(12), "b1")).toBe(5);
  });

  it("divide a tenant's part among its runs: four of them do not crowd out another's one", async () => {
    for (const run of ["a1", "a2", "a3", "a4"]) await submit(run, 50);
    await submit("b1", 20);
    const first = await served(40);
    expect(of(first, "b1")).toBeGreaterThanOrEqual(12);
    for (const run of ["a1", "a2", "a3", "a4"]) expect(of(first, run)).toBeGreaterThan(0);
  });

  it("keep nobody waiting for ever, though new runs come all the time", async () => {
    await submit("a1", 30);
    for (let nth = 0; nth < 40; nth += 1) {
      await submit(`b${nth}`, 1);
      await served(2);
    }
    expect(of(await served(), "a1")).toBe(0);
  });

  it("begin anew when none waits: nobody pays for what they had before", async () => {
    await submit("a1", 100);
    await served();
    await submit("a2", 10);
    await submit("b1", 10);
    expect(of(await served(10), "a2")).toBeGreaterThanOrEqual(4);
  });

  it("keep the order of their run", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom("a1", "a2", "b1", "c1"), fc.integer({ min: 1, max: 40 })), {
          maxLength: 8,
        }),
        async (batches) => {
          await connection.flushall();
          const last = new Map<string, number>();
          for (const [run, count] of batches) {
            const taken = await turns.take(capability.name, { tenant: run.slice(0, 1), runId: run }, count);
            expect(taken).toHaveLength(count);
            for (const turn of taken) {
              expect(turn).toBeGreaterThan(0);
              last.set(run, turn);
            }
            expect([...taken]).toEqual([...taken].sort((a, b) => a - b));
            await queue.add(run, {} as StepJob, { priority: taken[0] ?? 1 });
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it("all get the last turn where the numbers are used up", async () => {
    await queue.add("far", {} as StepJob, { priority: 2 ** 21 - 2 });
    expect(await turns.take(capability.name, { tenant: "z", runId: "z1" }, 3)).toEqual(
      Array(3).fill(2 ** 21 - 1),
    );
  });
});
