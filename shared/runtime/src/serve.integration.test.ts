import { createFsStore } from "@proofroom/artifacts";
import { type CapabilityOf, type InputOf, ProofroomError, verifyCitations } from "@proofroom/contracts";
import {
  connect,
  createCancelBus,
  createEventLog,
  createProducer,
  createTenantPlaces,
  disconnect,
  type RunningWorker,
} from "@proofroom/queue";
import { silentLogger } from "@proofroom/telemetry";
import {
  createTestRun,
  eventually,
  makeTempFolder,
  startTestRedis,
  type TempFolder,
  type TestRedis,
} from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCancellations } from "./cancellations.ts";
import type { Handler, Handlers, StepContext } from "./handler.ts";
import { callCapability } from "./jobs/call-capability.ts";
import { cancelJob } from "./jobs/cancel-job.ts";
import { describeJob } from "./jobs/describe-job.ts";
import { openLedger } from "./ledger.ts";
import { serve } from "./serve.ts";
import { submitStep } from "./submit.ts";

type Verify = Handler<CapabilityOf<"verify_citations">>;

const verified = {
  sentences: 1,
  cited: 1,
  supported: 1,
  uncertain: 0,
  unsupported: 0,
  unresolved: 0,
  uncited: 0,
  article_sha256: "a".repeat(64),
  artifact: ".nova/citations.json",
};

let folder: TempFolder;
let redis: TestRedis;
const closers: (() => Promise<void> | void)[] = [];

beforeEach(async () => {
  [folder, redis] = await Promise.all([makeTempFolder(), startTestRedis()]);
});

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await redis.close();
  await folder.close();
});

async function host(verify: Verify, tenantJobs?: number) {
  const log = silentLogger();
  const store = createFsStore({ root: folder.path });
  const connection = connect({ url: redis.url, role: "worker", log });
  const producer = createProducer(connection);
  const bus = createCancelBus(connection);
  const events = createEventLog(connection, log);
  const handlers: Handlers<"critic"> = {
    verify_citations: verify,
    critic_evaluate_article: async () => {
      throw new ProofroomError({ code: "invalid_input", message: "not part of this test" });
    },
  };
  const workers: RunningWorker[] = serve("critic", handlers, {
    store,
    events,
    cancellations: createCancellations(bus),
    log,
    connection,
    producer,
    places: tenantJobs === undefined ? undefined : createTenantPlaces(connection, tenantJobs),
  });
  closers.push(async () => {
    await Promise.all(workers.map((worker) => worker.close(1_000)));
    await producer.close();
    bus.close();
    await disconnect(connection);
  });
  const runId = await createTestRun(store);
  return { store, producer, bus, events, runId, ledger: openLedger(store, runId) };
}

function submit(
  to: Awaited<ReturnType<typeof host>>,
  input: InputOf<typeof verifyCitations> = { round: 0 },
  generation = 1,
) {
  return submitStep(to, to.runId, { capability: verifyCitations, input, generation });
}

describe("jobs of a tenant", () => {
  it("are at work no more than so many at once, those of another go on, and none spends an attempt", async () => {
    let gate: () => void = () => undefined;
    const open = new Promise<void>((resolve) => {
      gate = resolve;
    });
    const underWay: string[] = [];
    let done = 0;
    const to = await host(async (_input, { runId }) => {
      underWay.push(runId);
      await open;
      done += 1;
      return verified;
    }, 2);
    const other = await createTestRun(to.store, { tenant: "b" });
    for (let round = 0; round < 4; round += 1) await submit(to, { round });
    await eventually(() => underWay.length === 2);
    await submitStep(to, other, { capability: verifyCitations, input: { round: 0 }, generation: 1 });
    await eventually(() => underWay.includes(other));
    expect(underWay.filter((runId) => runId === to.runId)).toHaveLength(2);
    gate();
    await eventually(() => done === 5, 20_000);
    const { steps } = await to.ledger.load();
    for (const { stepId } of steps.values())
      expect(await to.ledger.attempts({ stepId, generation: 1 })).toHaveLength(1);
  });

  it("lose a place that a worker which is gone had taken", async () => {
    const to = await host(async () => verified, 1);
    const connection = connect({ url: redis.url, role: "worker", log: silentLogger() });
    closers.push(() => disconnect(connection));
    await connection.hset("{proofroom}:tenant-places:verify_citations:default", "of-nobody", "token");
    await submit(to);
    await eventually(
      async () => (await to.ledger.record({ stepId: "verify_citations", generation: 1 })) !== null,
    );
    await eventually(
      async () => (await connection.hlen("{proofroom}:tenant-places:verify_citations:default")) === 0,
    );
  });
});

describe("a served capability", () => {
  it("is executed once however often it is submitted, and its record is written once", async () => {
    let executions = 0;
    const to = await host(async () => {
      executions += 1;
      return verified;
    });
    await Promise.all(Array.from({ length: 10 }, () => submit(to)));
    const ref = { stepId: "verify_citations", generation: 1 };
    await eventually(async () => (await to.ledger.record(ref)) !== null);
    await submit(to);
    await submit(to, { round: 1 });
    await eventually(async () => (await to.ledger.load()).steps.size === 2);
    await eventually(async () =>
      [...(await to.ledger.load()).steps.values()].every(({ record }) => record !== null),
    );
    expect(executions).toBe(2);
    expect((await to.ledger.attempts(ref)).map(({ event }) => event)).toEqual(["started"]);
  });

  it("is tried again after a failure that may pass, and leaves every attempt in the ledger", async () => {
    let executions = 0;
    const to = await host(async () => {
      executions += 1;
      if (executions < 2)
        throw new ProofroomError({
          code: "unreachable",
          message: "away",
          disposition: { kind: "retry_after", delayMs: 10 },
        });
      return verified;
    });
    await submit(to);
    const ref = { stepId: "verify_citations", generation: 1 };
    await eventually(async () => (await to.ledger.record(ref)) !== null);
    expect((await to.ledger.attempts(ref)).map(({ event, final }) => [event, final])).toEqual([
      ["started", undefined],
      ["failed", false],
      ["started", undefined],
    ]);
  });

  it("fails for good at once where trying again is useless, with its public words only", async () => {
    const to = await host(async () => {
      throw new ProofroomError({
        code: "invalid_input",
        message: "no",
        remedy: "yes",
        cause: new Error("secret"),
      });
    });
    await submit(to);
    await eventually(async () => (await to.ledger.load()).steps.get("verify_citations")?.failure != null);
    const state = (await to.ledger.load()).steps.get("verify_citations");
    expect(state).toMatchObject({
      record: null,
      failure: { code: "invalid_input", message: "no", remedy: "yes" },
    });
    expect(JSON.stringify(state)).not.toContain("secret");
  });

  it("ends when the run is cancelled, even if the handler ignores its signal", async () => {
    const entered = Promise.withResolvers<void>();
    const to = await host(async () => {
      entered.resolve();
      return new Promise(() => undefined);
    });
    await to.ledger.open("start");
    await submit(to);
    await entered.promise;
    await to.ledger.close({ n: 1, status: "cancelled", at: new Date().toISOString(), reasons: [] });
    await to.bus.cancel(to.runId);
    const ref = { stepId: "verify_citations", generation: 1 };
    await eventually(async () => (await to.ledger.attempts(ref)).some(({ event }) => event === "failed"));
    expect((await to.ledger.attempts(ref)).at(-1)).toMatchObject({
      error: { code: "cancelled" },
      final: false,
    });
    expect(await to.ledger.record(ref)).toBeNull();
  });

  it("ends when its job alone is cancelled; what else the run has goes on", async () => {
    const entered = Promise.withResolvers<void>();
    const to = await host(async (input) => {
      if (input.round === 1) return verified;
      entered.resolve();
      return new Promise(() => undefined);
    });
    const job = await callCapability(to, { runId: to.runId, capability: verifyCitations, input: {} });
    await entered.promise;
    const other = await callCapability(to, {
      runId: to.runId,
      capability: verifyCitations,
      input: { round: 1 },
    });
    expect(await cancelJob(to, job)).toBe(true);
    await eventually(async () => (await to.ledger.attempts(job)).some(({ event }) => event === "failed"));
    await eventually(async () => (await to.ledger.record(other)) !== null);
    expect(await describeJob(to.store, job)).toMatchObject({ status: "cancelled" });
    expect(await to.ledger.outcome()).toBeNull();
  });

  it("goes on when Redis was killed under a running job, with one record", async () => {
    const entered = Promise.withResolvers<void>();
    const leave = Promise.withResolvers<void>();
    const to = await host(async () => {
      entered.resolve();
      await leave.promise;
      return verified;
    });
    await submit(to);
    await entered.promise;
    await redis.kill();
    leave.resolve();
    const ref = { stepId: "verify_citations", generation: 1 };
    await eventually(async () => (await to.ledger.record(ref)) !== null);
    await redis.restart();
    await submit(to, { round: 1 });
    await eventually(
      async () =>
        [...(await to.ledger.load()).steps.values()].filter(({ record }) => record !== null).length === 2,
    );
  });

  it("sees neither its own writes of an execution that was cut short nor another's later ones twice", async () => {
    const seen: (string | null)[] = [];
    let executions = 0;
    const to = await host(async (_input, context: StepContext) => {
      executions += 1;
      seen.push(await context.artifacts.tryReadText(".nova/citations.json"));
      await context.artifacts.writeText(".nova/citations.json", `written by execution ${executions}`);
      if (executions === 1) throw new ProofroomError({ code: "unreachable", message: "cut short" });
      return verified;
    });
    await submit(to);
    const ref = { stepId: "verify_citations", generation: 1 };
    await eventually(async () => (await to.ledger.record(ref)) !== null);
    expect(seen).toEqual([null, null]);
    expect((await to.ledger.record(ref))?.reads).toEqual([
      { name: ".nova/citations.json", version: 0, sha256: null },
    ]);
  });
});
