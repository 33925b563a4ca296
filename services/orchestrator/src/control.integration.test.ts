import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createFsStore } from "@proofroom/artifacts";
import { generateArticleOutline, processLocalFiles, runOptionsSchema } from "@proofroom/contracts";
import { connect, createCancelBus, createEventLog, createProducer, disconnect } from "@proofroom/queue";
import {
  cancelRun,
  createCancellations,
  resumeRun,
  retryFrom,
  type ServeDeps,
  serve,
  serveAdvance,
  startRun,
  submitStep,
} from "@proofroom/runtime";
import { createRun, describeRun, openLedger } from "@proofroom/runtime/records";
import { silentLogger } from "@proofroom/telemetry";
import {
  eventually,
  makeTempFolder,
  startTestRedis,
  type TempFolder,
  type TestRedis,
} from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { advanceRun } from "./advance-run.ts";
import { startSweeper } from "./sweeper.ts";
import { type ChaosScript, scriptOf } from "./testing/chaos-script.ts";
import { fakeHandlers } from "./testing/fake-handlers.ts";
import { executionsOf, queueFacts, resultOf } from "./testing/observe.ts";
import { seeded } from "./testing/random.ts";

const script: ChaosScript = {
  ...scriptOf(1),
  documents: Array.from({ length: 8 }, (_, n) => ({ ref: `document-${n}`, fate: "succeeds" })),
  pages: [],
  sections: 2,
  snippets: 1,
  breaks: false,
  approvedIn: 1,
  stumbling: [],
  doomed: null,
};

let folder: TempFolder;
let redis: TestRedis;
const closers: (() => Promise<unknown> | unknown)[] = [];

beforeEach(async () => {
  [folder, redis] = await Promise.all([makeTempFolder(), startTestRedis()]);
});

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await redis.close();
  await folder.close();
});

/** One of several hosts on the same store and Redis, as processes would be; `hold` stops each ingestion until it resolves. */
async function host(hold?: Promise<void>) {
  const log = silentLogger();
  const marks = join(folder.path, "marks");
  await mkdir(marks, { recursive: true });
  const store = createFsStore({ root: join(folder.path, "store") });
  const connection = connect({ url: redis.url, role: "worker", log });
  const producer = createProducer(connection);
  const bus = createCancelBus(connection);
  const events = createEventLog(connection, log);
  const cancellations = createCancellations(bus);
  const deps: ServeDeps = { store, events, log, connection, producer, cancellations };
  const fakes = { marks, random: seeded(1) };
  const research = fakeHandlers("research", fakes);
  const held: typeof research = {
    ...research,
    async ingest_document(input, context) {
      await hold;
      return research.ingest_document(input, context);
    },
  };
  const workers = [
    ...serve("research", held, deps),
    ...serve("writer", fakeHandlers("writer", fakes), deps),
    ...serve("critic", fakeHandlers("critic", fakes), deps),
    ...serve("code-qa", fakeHandlers("code-qa", fakes), deps),
    serveAdvance(deps, (runId, input, signal) =>
      advanceRun({ store, producer, events }, runId, input, signal),
    ),
  ];
  closers.push(async () => {
    await Promise.all(workers.map((worker) => worker.close(1_000)));
    await producer.close();
    bus.close();
    await disconnect(connection);
  });
  return { store, producer, events, bus, connection, log };
}

type TestHost = Awaited<ReturnType<typeof host>>;

function newRun(to: TestHost, told: ChaosScript = script): Promise<string> {
  return createRun(to.store, {
    title: "t",
    plan: "write",
    options: runOptionsSchema.parse({}),
    guideline: JSON.stringify(told),
    author: "person",
  });
}

async function outcome(to: TestHost, runId: string) {
  await eventually(async () => (await openLedger(to.store, runId).outcome()) !== null);
  return openLedger(to.store, runId).outcome();
}

/** Every generation of every step began once, parents at most once more for their children. */
async function beganOnce(to: TestHost, runId: string): Promise<void> {
  for (const { step, attempts } of (await describeRun(to.store, runId)).steps)
    expect([step, attempts]).toEqual([step, step === processLocalFiles.name ? 2 : 1]);
}

const waitsForChildren = (to: TestHost) =>
  eventually(async () => (await queueFacts(to.connection)).open["waiting-children"] === 1);

describe("a run", () => {
  it("that is started and resumed from several hosts at once executes each step once", async () => {
    const hosts = await Promise.all([host(), host(), host()]);
    const [first] = hosts as [TestHost, ...TestHost[]];
    const runId = await newRun(first);
    await startRun(first, runId);
    await Promise.all(hosts.map((to) => resumeRun(to, runId)));
    expect(await outcome(first, runId)).toMatchObject({ n: 1, status: "succeeded" });
    await beganOnce(first, runId);
  });

  it("executes no generation twice when it is resumed twice at once after a failure", async () => {
    const to = await host();
    const runId = await newRun(to, { ...script, doomed: generateArticleOutline.name });
    await startRun(to, runId);
    expect(await outcome(to, runId)).toMatchObject({ status: "failed", step: generateArticleOutline.name });
    await Promise.all([resumeRun(to, runId), resumeRun(to, runId)]);
    await eventually(async () => ((await openLedger(to.store, runId).load()).outcome?.n ?? 0) > 1);
    const attempts = await openLedger(to.store, runId).attempts({
      stepId: generateArticleOutline.name,
      generation: 2,
    });
    expect(attempts.map(({ event }) => event)).toEqual(["started", "failed"]);
  });

  it("that is cancelled while its parent waits for children ends at once, and resumed it ends as if undisturbed", async () => {
    const release = Promise.withResolvers<void>();
    const to = await host(release.promise);
    const runId = await newRun(to);
    await startRun(to, runId);
    await waitsForChildren(to);
    expect(await cancelRun(to, runId)).toBe(true);
    expect(await cancelRun(to, runId)).toBe(false);
    await eventually(async () => Object.keys((await queueFacts(to.connection)).open).length === 0);
    release.resolve();
    await resumeRun(to, runId);
    expect(await outcome(to, runId)).toMatchObject({ n: 2, status: "succeeded" });
    const undisturbed = await newRun(to);
    await startRun(to, undisturbed);
    await outcome(to, undisturbed);
    expect(await resultOf(to.store, runId)).toEqual(await resultOf(to.store, undisturbed));
  });

  it("that is cancelled and resumed before its children have noticed loses none of them", async () => {
    const release = Promise.withResolvers<void>();
    const to = await host(release.promise);
    const stop = startSweeper({ ...to, runs: () => only(runId), intervalMs: 100 });
    closers.push(stop);
    const runId = await newRun(to);
    await startRun(to, runId);
    await waitsForChildren(to);
    await cancelRun(to, runId);
    await resumeRun(to, runId);
    release.resolve();
    expect(await outcome(to, runId)).toMatchObject({ n: 2, status: "succeeded" });
    const gathered = (await openLedger(to.store, runId).load()).steps.get(processLocalFiles.name);
    expect(gathered?.record?.output).toMatchObject({ gathered: 8, failed: 0 });
    expect((await executionsOf(to.store, runId)).tooLate).toEqual([]);
  });

  it("and a tool that ask for the same step at once share its one execution", async () => {
    const hosts = await Promise.all([host(), host()]);
    const [one, other] = hosts as [TestHost, TestHost];
    const runId = await newRun(one);
    const request = { capability: processLocalFiles, input: {}, generation: 1 };
    await startRun(one, runId);
    await eventually(async () =>
      (await openLedger(one.store, runId).load()).steps.has(processLocalFiles.name),
    );
    await submitStep(other, runId, request);
    expect(await outcome(one, runId)).toMatchObject({ status: "succeeded" });
    await beganOnce(one, runId);
  });

  it("that ended executes a step again, and what follows from it, when it is retried from there", async () => {
    const to = await host();
    const runId = await newRun(to);
    await startRun(to, runId);
    await outcome(to, runId);
    await retryFrom(to, runId, generateArticleOutline.name);
    await eventually(async () => (await openLedger(to.store, runId).load()).outcome?.n === 2);
    const { steps } = await openLedger(to.store, runId).load();
    expect(steps.get(generateArticleOutline.name)?.generation).toBe(2);
    expect(steps.get(processLocalFiles.name)?.generation).toBe(1);
  });

  it("that was never created is not set in motion", async () => {
    const to = await host();
    const missing = "run_01ARZ3NDEKTSV4RRFFQ69G5FAV";
    await expect(startRun(to, missing)).rejects.toMatchObject({ code: "not_found" });
    await expect(resumeRun(to, missing)).rejects.toMatchObject({ code: "not_found" });
    expect(await openLedger(to.store, missing).outcome()).toBeNull();
  });
});

async function* only(runId: string): AsyncGenerator<string> {
  yield runId;
}

describe("the sweeper", () => {
  it("stops in time while Redis is away", async () => {
    const to = await host();
    const runId = await newRun(to);
    await openLedger(to.store, runId).open("start");
    await redis.kill();
    let swept = false;
    const stop = startSweeper({
      ...to,
      intervalMs: 1,
      runs: () => {
        swept = true;
        return only(runId);
      },
    });
    await eventually(() => swept);
    await stop();
    await redis.restart();
  });
});
