import { createFsStore, type ObjectStore, openRunArtifacts } from "@proofroom/artifacts";
import { artifact, runWebResearch, type StepRecord, verifyCitations } from "@proofroom/contracts";
import type { EventLog } from "@proofroom/queue";
import { createTestRun, makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { jobCancelled } from "../cancelled.ts";
import { openLedger } from "../ledger.ts";
import { type CapabilityCall, callCapability, resubmitJob } from "./call-capability.ts";
import { cancelJob } from "./cancel-job.ts";
import { describeCalledJob, describeJob, describeJobById } from "./describe-job.ts";
import { type JobRef, parseJobId } from "./job-ref.ts";
import { listJobs } from "./list-jobs.ts";
import { waitForJob } from "./wait-for-job.ts";

let folder: TempFolder;
let store: ObjectStore;
let runId: string;
let submitted: string[];
let jobs: unknown[];
let told: string[];

beforeEach(async () => {
  folder = await makeTempFolder();
  store = createFsStore({ root: folder.path });
  submitted = [];
  jobs = [];
  told = [];
  runId = await createTestRun(store);
});

afterEach(() => folder.close());

const producer = {
  async submit(_capability: unknown, job: { step_id: string; generation: number }) {
    submitted.push(`${job.step_id}.g${job.generation}`);
    jobs.push(job);
  },
  close: async () => undefined,
};

function call(over: Partial<CapabilityCall> = {}) {
  return callCapability({ store, producer }, { runId, capability: verifyCitations, input: {}, ...over });
}

function cancel(job: JobRef) {
  const events = { publish: () => undefined } as unknown as EventLog;
  const bus = { cancel: async (word: string) => void told.push(word) };
  return cancelJob({ store, events, bus }, job);
}

async function finish(generation: number, reads: StepRecord["reads"] = []): Promise<void> {
  const hash = "0".repeat(64);
  const at = new Date(0).toISOString();
  const step = { stepId: verifyCitations.name, generation };
  await openLedger(store, runId).commit(step, {
    v: 1,
    step_id: step.stepId,
    generation,
    capability: verifyCitations.name,
    step_key: hash,
    input_sha256: hash,
    reads,
    writes: [],
    output: { cited: 1 },
    started_at: at,
    finished_at: at,
  });
}

describe("calling a capability", () => {
  it("finds the same job while its result stands, and executes nothing again", async () => {
    const job = await call();
    await finish(1);
    expect((await call()).jobId).toBe(job.jobId);
    expect(submitted).toEqual(["verify_citations.g1"]);
    expect(await describeJob(store, job)).toMatchObject({ status: "succeeded", output: { cited: 1 } });
  });

  it("makes a new generation where it is forced, where it failed, and where what it read has changed", async () => {
    await call();
    await finish(1);
    expect((await call({ force: true })).generation).toBe(2);
    const step = { stepId: verifyCitations.name, generation: 2 };
    const ledger = openLedger(store, runId);
    await ledger.fail(step, await ledger.begin(step), { code: "internal", message: "no" }, { final: true });
    expect((await call()).generation).toBe(3);
    const artifacts = openRunArtifacts(store, runId);
    const read = await artifacts.write(artifact.article, Buffer.from("one"), { author: "person" });
    await finish(3, [{ name: artifact.article, version: read.version, sha256: read.sha256 }]);
    expect((await call()).generation).toBe(3);
    await artifacts.write(artifact.article, Buffer.from("two"), { author: "person" });
    expect((await call()).generation).toBe(4);
  });

  it("asks once for a generation, however many call at once, and one of them learns that it is new", async () => {
    for (const generation of [1, 2]) {
      const calls = await Promise.all(Array.from({ length: 6 }, () => call({ force: true })));
      expect(new Set(calls.map((job) => job.generation))).toEqual(new Set([generation]));
      expect(calls.filter(({ askedAt }) => askedAt !== null)).toHaveLength(1);
      await finish(generation);
    }
  });

  it("finds its job again where it was cut short before the queue had it", async () => {
    const cut = { ...producer, submit: () => Promise.reject(new Error("killed")) };
    await expect(
      callCapability({ store, producer: cut }, { runId, capability: verifyCitations, input: {} }),
    ).rejects.toThrow("killed");
    const again = await call();
    expect([again.generation, again.askedAt]).toEqual([1, null]);
    expect(submitted).toEqual(["verify_citations.g1"]);
  });

  it("while its job is being cancelled makes the next generation, which the cancel leaves alone", async () => {
    const job = await call();
    const cancelling = cancel(job);
    const calls = [];
    do calls.push(await call());
    while (calls.at(-1)?.generation === 1);
    expect(await cancelling).toBe(true);
    expect(await describeJob(store, job)).toMatchObject({ status: "cancelled" });
    const next = calls.at(-1) ?? job;
    expect(await describeJob(store, next)).toMatchObject({ status: "queued" });
    expect((await call()).generation).toBe(2);
  });

  it("refuses a field that the capability does not have, and a run that does not exist", async () => {
    await expect(call({ input: { rond: 1 } })).rejects.toMatchObject({ code: "invalid_input" });
    await expect(call({ runId: `run_${"0".repeat(26)}` })).rejects.toMatchObject({ code: "not_found" });
    expect(submitted).toEqual([]);
  });
});

describe("the jobs of a run", () => {
  it("are told each at its newest generation, from records that are read once", async () => {
    await call();
    await finish(1);
    await call({ force: true });
    await call({ capability: runWebResearch, input: { queries: ["a"] } });
    await openLedger(store, runId).giveUp({ stepId: verifyCitations.name, generation: 2 }, jobCancelled);
    const reads: string[] = [];
    const counting: ObjectStore = {
      ...store,
      get(key, options) {
        reads.push(key);
        return store.get(key, options);
      },
    };
    const found = await listJobs(counting, runId);
    expect(found.map(({ capability, status }) => [capability, status])).toEqual([
      ["run_web_research", "queued"],
      ["verify_citations", "cancelled"],
    ]);
    expect(reads.filter((key) => key.endsWith("verify_citations.g2/final.json"))).toHaveLength(1);
  });
});

describe("a job", () => {
  it.each([
    "",
    "run_1-x-g1",
    "../etc",
    `run_${"0".repeat(26)}-nothing-g1`,
    `run_${"0".repeat(26)}-advance-g0`,
  ])("%j is none, and nobody learns more", (id) => {
    expect(() => parseJobId(id)).toThrow(expect.objectContaining({ code: "not_found" }));
  });

  it("is known by its id, and not before it was asked for", async () => {
    const job = await call();
    expect(await describeJobById(store, job.jobId)).toMatchObject({
      status: "queued",
      capability: "verify_citations",
    });
    await finish(1);
    await expect(describeJobById(store, job.jobId.replace(/g1$/, "g9"))).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("is not known where nobody asked for it, though its id is well formed", async () => {
    const job = await call();
    const other = job.jobId.replace(verifyCitations.name, "critic_evaluate_article");
    await expect(describeJobById(store, other)).rejects.toMatchObject({ code: "not_found" });
  });

  it("is put in again with its input, also where that is large, whatever Redis has forgotten", async () => {
    const capability = runWebResearch;
    const input = { queries: Array.from({ length: 20 }, (_, n) => `${n} ${"long ".repeat(20)}`) };
    for (const over of [{}, { capability, input }]) {
      const called = await call(over);
      const before = jobs.at(-1);
      await resubmitJob({ store, producer }, parseJobId(called.jobId));
      expect(jobs.at(-1)).toEqual(before);
    }
    await resubmitJob({ store, producer }, parseJobId(`${runId}-critic_evaluate_article-g1`));
    expect(jobs).toHaveLength(4);
  });

  it("stays cancelled though an execution finishes it later, and is executed anew when it is called again", async () => {
    const job = await call();
    expect(await cancel(job)).toBe(true);
    expect(told).toEqual([`${runId} verify_citations.g1`]);
    // Word of the first may have been lost.
    expect(await cancel(job)).toBe(false);
    expect(told).toHaveLength(2);
    await finish(1);
    expect(await describeJobById(store, job.jobId)).toMatchObject({
      status: "cancelled",
      error: { code: "cancelled" },
    });
    expect((await openLedger(store, runId).load()).steps.get(job.stepId)).toMatchObject({ record: null });
    expect(await cancel(job)).toBe(false);
    const again = await call();
    expect(again.generation).toBe(2);
    await finish(2);
    expect(await cancel(again)).toBe(false);
    expect(await describeJob(store, again)).toMatchObject({ status: "succeeded" });
    expect(await openLedger(store, runId).outcome()).toBeNull();
  });

  it("is cancelled with its run", async () => {
    const job = await call();
    await openLedger(store, runId).open("start");
    const at = new Date().toISOString();
    await openLedger(store, runId).close({ n: 1, status: "cancelled", at, reasons: [] });
    expect(await describeJobById(store, job.jobId)).toMatchObject({ status: "cancelled" });
    await expect(call({ input: { round: 1 } })).rejects.toMatchObject({ code: "conflict" });
  });

  it("of a cancelled run whose result stands is found all the same", async () => {
    const job = await call();
    await finish(1);
    await openLedger(store, runId).open("start");
    const at = new Date().toISOString();
    await openLedger(store, runId).close({ n: 1, status: "cancelled", at, reasons: [] });
    expect((await call()).jobId).toBe(job.jobId);
  });

  it("is told by the call that asked for it as by the ledger, and by a later one as what it has come to", async () => {
    const first = await call();
    expect(await describeCalledJob(store, first)).toEqual(await describeJob(store, first));
    await finish(1);
    expect(await describeCalledJob(store, await call())).toMatchObject({ status: "succeeded" });
    expect(await describeCalledJob(store, await call({ force: true }))).toMatchObject({ status: "queued" });
  });

  it("is waited for until it has ended, or the time is over", async () => {
    const job = await call();
    const signal = new AbortController().signal;
    expect(await waitForJob(store, job, { signal, timeoutMs: 1 })).toMatchObject({ status: "queued" });
    await finish(1);
    expect(await waitForJob(store, job, { signal })).toMatchObject({ status: "succeeded" });
    await expect(
      waitForJob(store, { ...job, generation: 2 }, { signal: AbortSignal.abort() }),
    ).rejects.toThrow();
  });
});
