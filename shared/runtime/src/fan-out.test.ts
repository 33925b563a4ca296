import { createFsStore, type ObjectStore } from "@proofroom/artifacts";
import {
  ingestDocument,
  jobId,
  type PublicError,
  processLocalFiles,
  verifyCitations,
} from "@proofroom/contracts";
import { type StepJob, WaitForChildren } from "@proofroom/queue";
import { createTestRun, makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fanOut } from "./fan-out.ts";
import { openLedger } from "./ledger.ts";
import { jobOf } from "./submit.ts";

let runId: string;
const inputs = Array.from({ length: 20 }, (_, n) => ({ path: `document-${n}` }));

let folder: TempFolder;
let store: ObjectStore;
let asked: string[];

beforeEach(async () => {
  folder = await makeTempFolder();
  const plain = createFsStore({ root: folder.path });
  runId = await createTestRun(plain);
  asked = [];
  store = {
    ...plain,
    get(key, options) {
      asked.push(`get ${key}`);
      return plain.get(key, options);
    },
    list(prefix, options) {
      asked.push(`list ${prefix}`);
      return plain.list(prefix, options);
    },
  };
});

afterEach(() => folder.close());

const parentOf = (generation: number, stepId: string = processLocalFiles.name): StepJob => ({
  v: 1,
  run_id: runId,
  capability: processLocalFiles.name,
  step_id: stepId,
  generation,
  input: {},
});

const childOf = (parent: StepJob, input: { path: string }) =>
  jobOf(store, runId, {
    capability: ingestDocument,
    input,
    generation: parent.generation,
    parent: parent.step_id,
  });

function run(parent: StepJob, failed: readonly string[] = []) {
  const ledger = openLedger(store, runId);
  return fanOut(
    { store, ledger, parent, failedChildren: async () => new Set(failed) },
    ingestDocument,
    inputs,
  );
}

async function finish(parent: StepJob, input: { path: string }): Promise<void> {
  const job = await childOf(parent, input);
  const at = new Date(0).toISOString();
  const sha = "a".repeat(64);
  const ref = { stepId: job.step_id, generation: parent.generation, parent: parent.step_id };
  const output = { ref: input.path, kind: "document", title: "t", artifact: "a", sha256: sha };
  await openLedger(store, runId).commit(ref, {
    v: 1,
    step_id: job.step_id,
    generation: parent.generation,
    capability: ingestDocument.name,
    step_key: sha,
    input_sha256: sha,
    reads: [],
    writes: [],
    output,
    started_at: at,
    finished_at: at,
  });
}

async function fail(
  parent: StepJob,
  input: { path: string },
  error: PublicError = { code: "not_found", message: "no such file" },
): Promise<void> {
  const job = await childOf(parent, input);
  const ref = { stepId: job.step_id, generation: parent.generation, parent: parent.step_id };
  const ledger = openLedger(store, runId);
  await ledger.fail(ref, await ledger.begin(ref), error, { final: true });
}

describe("the children of a parent", () => {
  it("are counted from the ledger: finished, failed for good, given up by the queue, and missing", async () => {
    const parent = parentOf(1);
    const [done, failed, lost, ...rest] = inputs;
    if (done === undefined || failed === undefined || lost === undefined) throw new Error("too few inputs");
    await finish(parent, done);
    await fail(parent, failed);
    const lostJob = await childOf(parent, lost);
    const given = [jobId(runId, lostJob.step_id, 1)];
    const wait = await run(parent, given).catch((error: unknown) => error);
    expect(wait).toBeInstanceOf(WaitForChildren);
    expect((wait as WaitForChildren).children).toHaveLength(rest.length);
    for (const input of rest) await finish(parent, input);
    const outcomes = await run(parent, given);
    expect(outcomes.map(({ input }) => input)).toEqual(inputs);
    expect(outcomes.flatMap(({ error }) => (error === undefined ? [] : [error.code]))).toEqual([
      "not_found",
      "internal",
    ]);
  });

  it("that an earlier generation finished stay finished; those that failed are tried again", async () => {
    for (const input of inputs.slice(1)) await finish(parentOf(1), input);
    await fail(parentOf(1), inputs[0] ?? { path: "" });
    const wait = await run(parentOf(2)).catch((error: unknown) => error);
    expect((wait as WaitForChildren).children).toMatchObject([{ job: { generation: 2, input: inputs[0] } }]);
  });

  it("of which one lacked money end their parent so, and it alone is tried again by the next generation", async () => {
    const [poor, ...rest] = inputs;
    if (poor === undefined) throw new Error("too few inputs");
    await fail(parentOf(1), poor, { code: "budget", message: "spent" });
    expect(await run(parentOf(1)).catch((error: unknown) => error)).toBeInstanceOf(WaitForChildren);
    for (const input of rest) await finish(parentOf(1), input);
    await expect(run(parentOf(1))).rejects.toMatchObject({ code: "budget", disposition: { kind: "fail" } });
    const wait = await run(parentOf(2)).catch((error: unknown) => error);
    expect((wait as WaitForChildren).children).toMatchObject([{ job: { generation: 2, input: poor } }]);
  });

  it("are looked up with one listing, one read for each that there is, and one of whose they are", async () => {
    for (const input of inputs.slice(0, 5)) await finish(parentOf(1), input);
    asked.splice(0);
    await run(parentOf(1)).catch(() => undefined);
    expect(asked.filter((request) => request.startsWith("list"))).toHaveLength(1);
    expect(asked.filter((request) => request.startsWith("get"))).toHaveLength(6);
  });

  it("have ids of their own under each parent, so that no job is shared between two", async () => {
    const [input] = inputs;
    if (input === undefined) throw new Error("too few inputs");
    const one = await childOf(parentOf(1), input);
    const other = await childOf(parentOf(1, verifyCitations.name), input);
    expect(one.step_id).not.toBe(other.step_id);
  });
});
