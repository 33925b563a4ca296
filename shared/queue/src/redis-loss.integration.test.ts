import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
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
import { type ConnectionOptions, connect, disconnect } from "./connection.ts";
import { createEventLog } from "./events.ts";
import { createProducer } from "./producer.ts";
import { startFaultProxy } from "./testing/fault-proxy.ts";
import { localPolicyCapability, stepJob } from "./testing/sample-jobs.ts";
import { startWorker } from "./worker.ts";

const log = silentLogger();
const capability = localPolicyCapability;
const { run_id } = stepJob(1);
let folder: TempFolder;
let redis: TestRedis;
/** What would have ended the process. */
let fatal: unknown[];
const note = (error: unknown) => fatal.push(error);

beforeEach(async () => {
  fatal = [];
  process.on("unhandledRejection", note);
  process.on("uncaughtException", note);
  [folder, redis] = await Promise.all([makeTempFolder(), startTestRedis()]);
});

afterEach(async () => {
  process.off("unhandledRejection", note);
  process.off("uncaughtException", note);
  await redis.close();
  await folder.close();
});

/** Everything that a process has open on one connection. */
function links(url: string, role: ConnectionOptions["role"]) {
  const connection = connect({ url, role, log });
  const producer = createProducer(connection);
  const bus = createCancelBus(connection);
  const events = createEventLog(connection, log);
  const leave = new AbortController();
  return {
    connection,
    producer,
    bus,
    events,
    leave,
    async close() {
      leave.abort();
      await producer.close();
      bus.close();
      await disconnect(connection);
    },
  };
}

type Links = ReturnType<typeof links>;

/** What was under way; each answers a promise that settles at the latest when everything is closed. */
const phases: Record<string, (links: Links) => Promise<unknown>> = {
  idle: async () => undefined,
  publishing: async ({ events }) => {
    for (let n = 0; n < 50; n += 1) events.publish({ run_id, type: "step.progress" });
    await events.flush(1_000);
  },
  following: async ({ events, leave }) => {
    for await (const event of events.follow(run_id, "0", leave.signal)) expect(event).toBeDefined();
  },
  asking: async ({ events }) => {
    await Promise.allSettled([events.position(run_id), events.position(run_id)]);
  },
  submitting: async ({ producer }) => {
    await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => producer.submit(capability, stepJob(n + 1))),
    );
  },
  cancelling: async ({ bus }) => {
    await Promise.allSettled([bus.cancel(run_id), bus.cancel(run_id)]);
  },
  working: async ({ connection, producer }) => {
    const worker = startWorker({ connection, capability, log, process: async () => ({}) });
    await Promise.allSettled([producer.submit(capability, stepJob(1))]);
    await worker.close(200);
  },
};

const cases = Object.keys(phases).flatMap((phase) =>
  (phase === "working" ? (["worker"] as const) : (["producer", "worker"] as const)).flatMap((role) =>
    ["closed while it is away", "closed when it is back", "closed at once"].map(
      (then) => [phase, role, then] as const,
    ),
  ),
);

describe("Redis, killed", () => {
  it.each(cases)(
    "while %s as a %s, %s, leaves neither a rejection nor a wait behind",
    async (phase, role, then) => {
      const open = links(redis.url, role);
      await open.events.position(run_id);
      const before = phases[phase]?.(open);
      const killed = redis.kill();
      const during = phases[phase]?.(open);
      await killed;
      if (then !== "closed at once") await eventually(() => open.connection.status === "reconnecting");
      if (then === "closed when it is back") await redis.restart();
      await open.close();
      await Promise.all([before, during]);
      await turn();
      expect(fatal).toEqual([]);
    },
  );
});

describe("the cancel bus", () => {
  it("may be closed while it subscribes again after a loss", async () => {
    const proxy = await startFaultProxy(join(folder.path, "p"), redis.url);
    const connection = connect({ url: redis.url, role: "worker", log });
    const beyond = connect({ url: proxy.url, role: "worker", log });
    const bus = createCancelBus(beyond);
    const heard: string[] = [];
    bus.onCancel((runId) => heard.push(runId));
    await eventually(async () => {
      await connection.publish("{proofroom}:cancel", run_id);
      return heard.length > 0;
    });
    proxy.goSilentAt("subscribe");
    proxy.refuse();
    await eventually(() => proxy.refused > 0);
    proxy.heal();
    await eventually(() => proxy.silenced > 0);
    bus.close();
    await Promise.all([disconnect(connection), disconnect(beyond)]);
    await proxy.close();
    await turn();
    expect(fatal).toEqual([]);
  });
});
