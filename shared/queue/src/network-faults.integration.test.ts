import { join } from "node:path";
import { silentLogger } from "@proofroom/telemetry";
import {
  eventually,
  makeTempFolder,
  startTestRedis,
  type TempFolder,
  type TestRedis,
} from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCancelBus } from "./cancel-bus.ts";
import { connect, disconnect } from "./connection.ts";
import { createEventLog } from "./events.ts";
import { createProducer } from "./producer.ts";
import { createQueuePool } from "./queue-pool.ts";
import { type FaultProxy, startFaultProxy } from "./testing/fault-proxy.ts";
import { localPolicyCapability, stepJob } from "./testing/sample-jobs.ts";
import { startWorker, type WorkerOptions } from "./worker.ts";

const log = silentLogger();
const capability = localPolicyCapability;
let folder: TempFolder;
let redis: TestRedis;
let proxy: FaultProxy;
const closers: (() => Promise<unknown> | unknown)[] = [];

beforeEach(async () => {
  [folder, redis] = await Promise.all([makeTempFolder(), startTestRedis()]);
  proxy = await startFaultProxy(join(folder.path, "p"), redis.url);
});

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await proxy.close();
  await redis.close();
  await folder.close();
});

function connection(url: string, role: "worker" | "producer" = "worker") {
  const opened = connect({ url, role, log });
  closers.push(() => disconnect(opened));
  return opened;
}

function worker(url: string, process: WorkerOptions["process"], lockMs?: number) {
  const running = startWorker({ connection: connection(url), capability, log, process, lockMs });
  closers.push(() => running.close(500));
  return running;
}

/** Puts jobs in around the proxy. */
function producer(url = redis.url, role: "worker" | "producer" = "worker") {
  const opened = createProducer(connection(url, role));
  closers.push(() => opened.close());
  return opened;
}

describe("a worker", () => {
  it.each([
    ["a few", 5],
    ["many", 12],
  ])("takes jobs again after %s refused connections", async (_name, times) => {
    const seen: string[] = [];
    const running = worker(proxy.url, async ({ job }) => {
      seen.push(job.step_id);
      return {};
    });
    const to = producer();
    await to.submit(capability, stepJob(1));
    await eventually(() => seen.length === 1);
    await eventually(() => running.health().state === "ready");
    proxy.refuse();
    await eventually(() => proxy.refused >= times);
    expect(running.health().state).toBe("disconnected");
    await to.submit(capability, stepJob(2));
    proxy.heal();
    await eventually(() => seen.length === 2, 5_000);
    await eventually(() => running.health().state === "ready");
  });

  it("notices a half-open socket, is not ready meanwhile, and takes jobs again", async () => {
    const seen: string[] = [];
    const running = worker(proxy.url, async ({ job }) => {
      seen.push(job.step_id);
      return {};
    });
    const to = producer();
    await to.submit(capability, stepJob(1));
    await eventually(() => seen.length === 1);
    proxy.goSilent();
    await to.submit(capability, stepJob(2));
    await eventually(() => running.health().state === "silent", 14_000);
    await eventually(() => seen.length === 2, 14_000);
    await eventually(() => running.health().state === "ready");
  });

  it("goes on at the new master where the old one is demoted and lives on, as whoever submits does", async () => {
    const another = await startTestRedis();
    closers.push(() => another.close());
    const seen: string[] = [];
    const running = worker(proxy.url, async ({ job }) => {
      seen.push(job.step_id);
      return {};
    });
    const to = producer(proxy.url, "producer");
    await to.submit(capability, stepJob(1));
    await eventually(() => seen.length === 1);
    proxy.moveTo(another.url);
    // Nobody is at that port: it takes no more writes, and ends no connection.
    await connection(redis.url).replicaof("127.0.0.1", 1);
    const submitted = () =>
      to.submit(capability, stepJob(2)).then(
        () => true,
        () => false,
      );
    await eventually(submitted);
    await eventually(() => seen.length === 2, 14_000);
    await eventually(() => running.health().state === "ready");
  });

  it("ends within its grace while Redis is away, with a job under way", async () => {
    const entered = Promise.withResolvers<void>();
    const running = worker(proxy.url, async () => {
      entered.resolve();
      return new Promise(() => undefined);
    });
    await producer().submit(capability, stepJob(1));
    await entered.promise;
    await redis.kill();
    let closed = false;
    void running.close(200).then(() => {
      closed = true;
    });
    expect(running.health().state).toBe("closing");
    await eventually(() => closed, 3_000);
  });

  it("ends at once while Redis is away and nothing is under way, whatever its grace", async () => {
    const running = worker(proxy.url, async () => ({}));
    await eventually(() => running.health().state === "ready");
    await redis.kill();
    await eventually(() => running.health().state !== "ready");
    let left: readonly string[] | undefined;
    void running.close(600_000).then((ids) => {
      left = ids;
    });
    await eventually(() => left !== undefined, 10_000);
    expect(left).toEqual([]);
  });

  it("aborts the handler when its lock is lost", async () => {
    const aborted = Promise.withResolvers<unknown>();
    let entries = 0;
    worker(
      redis.url,
      async ({ signal }) => {
        entries += 1;
        if (entries > 1) return {};
        signal.addEventListener("abort", () => aborted.resolve(signal.reason));
        await connectionToRedis.del(`{proofroom}:${capability.name}:${jobIdOf(1)}:lock`);
        return new Promise(() => undefined);
      },
      1_000,
    );
    const connectionToRedis = connection(redis.url);
    await producer().submit(capability, stepJob(1));
    expect(await aborted.promise).toBe("lock lost");
  });

  it("does not fail a job that was handed out in replies that were lost, nor the others, and executes each once", async () => {
    const times = 3;
    const executed: string[] = [];
    const queue = createQueuePool(connection(redis.url)).of(capability);
    const to = producer();
    for (const n of [1, 2, 3, 4]) await to.submit(capability, stepJob(n));
    proxy.loseRepliesWith(dataOf(2), times);
    worker(
      proxy.url,
      async ({ job }) => {
        executed.push(job.step_id);
        return {};
      },
      1_000,
    );
    await eventually(async () => (await queue.getCompletedCount()) === 4, 20_000);
    expect(proxy.lost).toBe(times);
    // Each reply that was lost left the job to a worker that never heard of it, until that was noticed.
    expect((await queue.getJob(jobIdOf(2)))?.stalledCounter).toBe(times);
    expect(executed.sort()).toEqual([1, 2, 3, 4].map((n) => stepJob(n).step_id));
  });
});

/** A part of a job's data, which no other request or reply holds than those that carry the whole job. */
function dataOf(n: number): string {
  return `"step_id":"${stepJob(n).step_id}"`;
}

function jobIdOf(n: number): string {
  const job = stepJob(n);
  return `${job.run_id}-${job.step_id}-g${job.generation}`;
}

describe("a producer", () => {
  it("adds a job once though the reply to adding it is lost", async () => {
    const to = producer(proxy.url);
    await to.submit(capability, stepJob(1));
    proxy.loseReplyTo(dataOf(2));
    await to.submit(capability, stepJob(2));
    expect(proxy.lost).toBe(1);
    const queue = createQueuePool(connection(redis.url)).of(capability);
    expect(await queue.getWaitingCount()).toBe(2);
  });

  it("says that Redis is away instead of waiting for it", async () => {
    await redis.kill();
    const to = producer(redis.url, "producer");
    await expect(to.submit(capability, stepJob(1))).rejects.toMatchObject({ code: "dependency_down" });
  });

  it("does not wait for a half-open socket as long as a worker would", async () => {
    const to = producer(proxy.url, "producer");
    await to.submit(capability, stepJob(1));
    proxy.goSilent();
    await expect(to.submit(capability, stepJob(2))).rejects.toMatchObject({ code: "dependency_down" });
  });

  it("says that Redis is full; a worker outlives that, and does all that was queued once there is room", async () => {
    const admin = connection(redis.url);
    const refusals = async () =>
      Number(/errorstat_OOM:count=(\d+)/.exec(await admin.info("errorstats"))?.[1] ?? 0);
    const to = producer(redis.url, "producer");
    const entered = Promise.withResolvers<void>();
    const leave = Promise.withResolvers<void>();
    const seen: string[] = [];
    const running = worker(redis.url, async ({ job }) => {
      seen.push(job.step_id);
      entered.resolve();
      await leave.promise;
      return {};
    });
    for (const n of [0, 1, 2]) await to.submit(capability, stepJob(n));
    await entered.promise;
    await admin.config("SET", "maxmemory", "1");
    await expect(to.submit(capability, stepJob(3))).rejects.toMatchObject({
      code: "dependency_down",
      message: "The queue (Redis) is full.",
    });
    const before = await refusals();
    leave.resolve();
    // It tries to finish what it has, and to take more, and is refused each time.
    await eventually(async () => (await refusals()) >= before + 3);
    await admin.config("SET", "maxmemory", "0");
    await to.submit(capability, stepJob(3));
    const queue = createQueuePool(connection(redis.url)).of(capability);
    await eventually(async () => (await queue.getCompletedCount()) === 4, 30_000);
    expect(new Set(seen)).toEqual(new Set([0, 1, 2, 3].map((n) => stepJob(n).step_id)));
    await eventually(() => running.health().state === "ready");
  });
});

describe("the cancel bus", () => {
  it("tells that word may have been missed when its connection was lost", async () => {
    const bus = createCancelBus(connection(proxy.url));
    closers.push(() => bus.close());
    const heard: string[] = [];
    let gaps = 0;
    bus.onCancel((runId) => heard.push(runId));
    bus.onGap(() => {
      gaps += 1;
    });
    await eventually(async () => {
      await bus.cancel("run_1");
      return heard.length > 0;
    });
    proxy.refuse();
    await eventually(() => proxy.refused > 1);
    proxy.heal();
    await eventually(() => gaps === 1);
  });
});

describe("the event log", () => {
  it("is followed on through an outage, from where the run stood when that was asked", async () => {
    const run_id = stepJob(1).run_id;
    const events = createEventLog(connection(redis.url), log);
    const tell = async (message: string) => {
      events.publish({ run_id, type: "step.progress", message });
      await events.flush(5_000);
    };
    expect(await events.position(run_id)).toBe("0");
    await tell("before");
    const after = await events.position(run_id);
    const stop = new AbortController();
    const heard: (string | undefined)[] = [];
    const followed = (async () => {
      const reader = createEventLog(connection(proxy.url), log);
      for await (const { message } of reader.follow(run_id, after, stop.signal)) heard.push(message);
    })();
    await tell("first");
    await eventually(() => heard.length === 1);
    proxy.refuse();
    await eventually(() => proxy.refused > 1);
    await tell("second");
    proxy.heal();
    await eventually(() => heard.length === 2);
    stop.abort();
    await followed;
    expect(heard).toEqual(["first", "second"]);
  });

  it("keeps no more than a bounded number of events for a Redis that is away", async () => {
    const to = connection(proxy.url);
    const events = createEventLog(to, log);
    proxy.refuse();
    await eventually(() => proxy.refused > 0);
    const run_id = stepJob(1).run_id;
    for (let n = 0; n < 3_000; n += 1) events.publish({ run_id, type: "step.progress" });
    proxy.heal();
    await events.flush(5_000);
    const stream = await connection(redis.url).xlen(`{proofroom}:events:${run_id}`);
    expect(stream).toBeGreaterThan(0);
    expect(stream).toBeLessThanOrEqual(1_000);
  });
});
