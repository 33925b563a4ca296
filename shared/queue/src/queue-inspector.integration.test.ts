import { catalog, ProofroomError } from "@proofroom/contracts";
import { silentLogger } from "@proofroom/telemetry";
import { eventually, startTestRedis, type TestRedis } from "@proofroom/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { connect, disconnect } from "./connection.ts";
import { createProducer } from "./producer.ts";
import { createQueueInspector } from "./queue-inspector.ts";
import { createQueueMetrics } from "./queue-metrics.ts";
import {
  childCapability,
  localPolicyCapability,
  parentCapability,
  sampleOwner,
  stepJob,
} from "./testing/sample-jobs.ts";
import { WaitForChildren } from "./wait-for-children.ts";
import { startWorker, type WorkerOptions } from "./worker.ts";

const log = silentLogger();
let redis: TestRedis;
const closers: (() => Promise<unknown> | unknown)[] = [];

beforeEach(async () => {
  redis = await startTestRedis();
});

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await redis.close();
});

function setUp() {
  const connection = connect({ url: redis.url, role: "producer", log });
  const working = connect({ url: redis.url, role: "worker", log });
  const producer = createProducer(connection);
  closers.push(async () => {
    await producer.close();
    await Promise.all([disconnect(connection), disconnect(working)]);
  });
  const inspector = createQueueInspector(connection);
  return {
    producer,
    inspector,
    connection,
    worker(capability: WorkerOptions["capability"], process: WorkerOptions["process"]) {
      const running = startWorker({ connection: working, capability, log, process });
      closers.push(() => running.close(50));
    },
    async state({ name }: WorkerOptions["capability"]) {
      return (await inspector.inspect()).find(({ queue }) => queue === name);
    },
  };
}

it("an empty Redis has every queue of the catalog, with nothing in it and nobody at work", async () => {
  const { inspector } = setUp();
  const states = await inspector.inspect();
  expect(states.map(({ queue }) => queue)).toEqual(catalog.map(({ name }) => name));
  for (const { jobs, oldestSeconds, workers } of states) {
    expect([...Object.values(jobs), oldestSeconds, workers]).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  }
});

it("jobs are counted where they are, and workers at the queue that they serve", async () => {
  const { producer, worker, state } = setUp();
  const child = { capability: childCapability, job: stepJob(1, childCapability.name, "parent") };
  worker(parentCapability, async () => {
    throw new WaitForChildren([child], sampleOwner);
  });
  worker(childCapability, () => new Promise(() => undefined));
  let refused = 0;
  worker(localPolicyCapability, async () => {
    refused += 1;
    throw new ProofroomError({ code: "invalid_input", message: "no" });
  });
  await producer.submit(parentCapability, stepJob(1, parentCapability.name));
  await producer.submit(localPolicyCapability, stepJob(1));
  await eventually(async () => {
    const [parent, active, failed] = await Promise.all([
      state(parentCapability),
      state(childCapability),
      state(localPolicyCapability),
    ]);
    return parent?.jobs["waiting-children"] === 1 && active?.jobs.active === 1 && failed?.jobs.failed === 1;
  });
  expect(refused).toBe(1);
  expect((await state(childCapability))?.workers).toBe(1);
  expect((await state(localPolicyCapability))?.workers).toBe(1);
});

/** Has a job of a queue submitted so many seconds ago. */
async function backdate(
  connection: ReturnType<typeof connect>,
  capability: WorkerOptions["capability"],
  n: number,
  seconds: number,
): Promise<void> {
  const { run_id, step_id } = stepJob(n, capability.name);
  const key = `{proofroom}:${capability.name}:${run_id}-${step_id}-g1`;
  await connection.hset(key, "timestamp", Date.now() - seconds * 1_000);
}

it.each([
  ["next in line", 1],
  ["last in line", 3],
])("the age of a queue is that of its oldest job, where that is %s", async (_place, oldest) => {
  const { producer, state, connection } = setUp();
  for (const n of [1, 2, 3]) await producer.submit(localPolicyCapability, stepJob(n));
  await backdate(connection, localPolicyCapability, oldest, 90);
  const now = await state(localPolicyCapability);
  expect(now?.jobs.waiting).toBe(3);
  expect(Math.floor((now?.oldestSeconds ?? 0) / 10)).toBe(9);
});

it.each([
  ["next", 1],
  ["last", 2],
])(
  "the age of a queue in which jobs wait in turns is that of the oldest, whose turn comes %s",
  async (_turn, oldest) => {
    const { worker, producer, state, connection } = setUp();
    const jobs = [1, 2].map((n) => ({
      capability: childCapability,
      job: stepJob(n, childCapability.name, "parent"),
    }));
    worker(parentCapability, async () => {
      throw new WaitForChildren(jobs, sampleOwner);
    });
    await producer.submit(parentCapability, stepJob(1, parentCapability.name));
    await eventually(async () => (await state(childCapability))?.jobs.prioritized === 2);
    await backdate(connection, childCapability, oldest, 90);
    expect(Math.floor(((await state(childCapability))?.oldestSeconds ?? 0) / 10)).toBe(9);
  },
);

it("a job that waits for its time counts with its age", async () => {
  const { producer, worker, state, connection } = setUp();
  worker(localPolicyCapability, async () => {
    throw new ProofroomError({
      code: "dependency_down",
      message: "later",
      disposition: { kind: "wait", delayMs: 600_000 },
    });
  });
  await producer.submit(localPolicyCapability, stepJob(1));
  await eventually(async () => (await state(localPolicyCapability))?.jobs.delayed === 1);
  await backdate(connection, localPolicyCapability, 1, 90);
  expect(Math.floor(((await state(localPolicyCapability))?.oldestSeconds ?? 0) / 10)).toBe(9);
});

it("the oldest of ten thousand jobs is found wherever it waits", async () => {
  const { producer, state, connection } = setUp();
  await producer.submit(localPolicyCapability, stepJob(1));
  await backdate(connection, localPolicyCapability, 1, 90);
  const { run_id, step_id } = stepJob(1);
  // Places in line suffice: these jobs have gone.
  const gone = Array.from({ length: 9_999 }, (_, at) => `gone-${at}`);
  await connection.rpush(`{proofroom}:${localPolicyCapability.name}:wait`, ...gone);
  const waiting = `{proofroom}:${localPolicyCapability.name}:wait`;
  expect(await connection.lindex(waiting, 0)).toBe(`${run_id}-${step_id}-g1`);
  expect(Math.floor(((await state(localPolicyCapability))?.oldestSeconds ?? 0) / 10)).toBe(9);
});

it("a backlog that waits in turns alone is told, though nothing stands in the list that scalers look at", async () => {
  const { worker, producer, state, connection, inspector } = setUp();
  const jobs = [1, 2, 3].map((n) => ({
    capability: childCapability,
    job: stepJob(n, childCapability.name, "parent"),
  }));
  worker(parentCapability, async () => {
    throw new WaitForChildren(jobs, sampleOwner);
  });
  await producer.submit(parentCapability, stepJob(1, parentCapability.name));
  await eventually(async () => (await state(childCapability))?.jobs.prioritized === 3);
  expect(await connection.llen(`{proofroom}:${childCapability.name}:wait`)).toBe(0);
  const told = await createQueueMetrics(inspector, () => new Date()).text();
  expect(told).toContain(`proofroom_queue_jobs{queue="${childCapability.name}",state="prioritized"} 3\n`);
});

it("a server that does not list its clients has unknown workers, and everything else is told", async () => {
  const { producer, state, connection } = setUp();
  await producer.submit(localPolicyCapability, stepJob(1));
  await connection.acl("SETUSER", "default", "-client|list");
  expect(await state(localPolicyCapability)).toMatchObject({ workers: null, jobs: { waiting: 1 } });
});

it("a Redis that is away is not an empty queue", async () => {
  const { inspector } = setUp();
  await inspector.inspect();
  await redis.kill();
  await expect(inspector.inspect()).rejects.toMatchObject({ code: "dependency_down" });
});
