import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createFsStore, type ObjectStore } from "@proofroom/artifacts";
import { runOptionsSchema } from "@proofroom/contracts";
import { connect, createEventLog, createProducer, disconnect } from "@proofroom/queue";
import { startRun } from "@proofroom/runtime";
import { createRun, openLedger } from "@proofroom/runtime/records";
import { silentLogger } from "@proofroom/telemetry";
import {
  eventually,
  makeTempFolder,
  startTestRedis,
  type TempFolder,
  type TestRedis,
} from "@proofroom/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { scriptOf } from "./testing/chaos-script.ts";
import { type ChaosWorkers, startWorkers } from "./testing/chaos-workers.ts";
import { torment } from "./testing/nemesis.ts";
import { brokenChains, countRecords, executionsOf, queueFacts, resultOf } from "./testing/observe.ts";
import { seeded } from "./testing/random.ts";

/** CHAOS_RUNS=200 CHAOS_FAULTS=40 CHAOS_SEED=7 makes a longer one. */
const numberOf = (name: string, standard: number) => Number(process.env[name] ?? standard);
const seed = numberOf("CHAOS_SEED", 1);
const runs = numberOf("CHAOS_RUNS", 8);
const faults = numberOf("CHAOS_FAULTS", 6);
const processes = numberOf("CHAOS_WORKERS", 3);
const deadline = 60_000 + 4_000 * runs + 8_000 * faults;
const lockMs = 2_000;

let folder: TempFolder;
const closers: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  folder = await makeTempFolder();
});

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await folder.close();
});

interface World {
  store: ObjectStore;
  redis: TestRedis;
  workers: ChaosWorkers;
  connection: ReturnType<typeof connect>;
  runIds: string[];
}

/** Redis, workers and runs that are under way, below a folder of their own. */
async function world(name: string): Promise<World> {
  const root = join(folder.path, name);
  const marks = join(folder.path, `${name}-marks`);
  await mkdir(marks, { recursive: true });
  const redis = await startTestRedis();
  closers.push(() => redis.close());
  const log = silentLogger();
  const store = createFsStore({ root });
  const connection = connect({ url: redis.url, role: "worker", log });
  closers.push(() => disconnect(connection));
  const producer = createProducer(connection);
  closers.push(() => producer.close());
  const settings = { root, marks, redis: redis.url, seed, lockMs, sweepMs: 500 };
  const workers = await startWorkers(processes, settings);
  closers.push(() => workers.close());
  const runIds: string[] = [];
  for (let index = 0; index < runs; index += 1) {
    const runId = await createRun(store, {
      title: "t",
      plan: "write",
      options: runOptionsSchema.parse({}),
      guideline: JSON.stringify(scriptOf(seed * 10_000 + index)),
      author: "person",
    });
    await startRun({ store, producer, events: createEventLog(connection, log) }, runId);
    runIds.push(runId);
  }
  return { store, redis, workers, connection, runIds };
}

/** What is in Redis once no job waits or runs any more. */
async function drained({ connection }: World) {
  await eventually(async () => Object.keys((await queueFacts(connection)).open).length === 0, 30_000);
  return queueFacts(connection);
}

async function ended({ store, runIds }: World): Promise<void> {
  const outcomes = runIds.map((runId) => openLedger(store, runId));
  await eventually(async () => {
    for (const ledger of outcomes) if ((await ledger.outcome()) === null) return false;
    return true;
  }, deadline);
}

it(`runs end as if nothing had happened while workers are killed and frozen and Redis dies (seed ${seed})`, {
  timeout: 2 * deadline,
}, async () => {
  const calm = await world("calm");
  await ended(calm);
  const expected = await Promise.all(calm.runIds.map((runId) => resultOf(calm.store, runId)));
  const work = await countRecords(calm.store);
  const facts = await drained(calm);
  expect(facts.largest).toBeGreaterThan(0);
  expect(facts.largest).toBeLessThan(1_024);
  expect(facts.longestStream).toBeLessThan(1_000);
  for (const close of closers.splice(0).reverse()) await close();

  const rough = await world("rough");
  await torment({
    workers: rough.workers,
    redis: rough.redis,
    random: seeded(seed),
    faults,
    freezeMs: 2 * lockMs,
    reached: (part) => eventually(async () => (await countRecords(rough.store)) >= part * work, deadline),
  });
  await ended(rough);

  for (const [index, runId] of rough.runIds.entries()) {
    expect(await resultOf(rough.store, runId)).toEqual(expected[index]);
    expect(await brokenChains(rough.store, runId)).toEqual([]);
  }
  const executions = await Promise.all(rough.runIds.map((runId) => executionsOf(rough.store, runId)));
  expect(executions.flatMap(({ tooLate }) => tooLate)).toEqual([]);
  // Nothing new was asked for by being disturbed, and no step has more than one record of a generation.
  expect(await countRecords(rough.store)).toBe(work);

  expect((await drained(rough)).largest).toBeLessThan(1_024);
  expect(rough.workers.complaints).toEqual([]);
  expect(await rough.workers.close()).toEqual(Array.from({ length: processes }, () => 0));
});
