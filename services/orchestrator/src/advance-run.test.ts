import { createFsStore, type ObjectStore } from "@proofroom/artifacts";
import { extractGuidelinesUrls } from "@proofroom/contracts";
import { type ControlDeps, resumeRun } from "@proofroom/runtime";
import { openLedger } from "@proofroom/runtime/records";
import { createTestRun, makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { advanceRun } from "./advance-run.ts";

let folder: TempFolder;
let store: ObjectStore;
let runId: string;
let submitted: string[];
let told: string[];

beforeEach(async () => {
  folder = await makeTempFolder();
  store = createFsStore({ root: folder.path });
  runId = await createTestRun(store);
  submitted = [];
  told = [];
  await openLedger(store, runId).open("start");
});

afterEach(() => folder.close());

const deps = (over: ObjectStore = store): ControlDeps => ({
  store: over,
  producer: {
    async submit(_capability, { step_id, generation }) {
      submitted.push(`${step_id}.g${generation}`);
    },
    close: async () => undefined,
  },
  events: {
    publish: ({ type, status }) => void told.push(status === undefined ? type : `${type} ${status}`),
    position: async () => "0",
    flush: async () => undefined,
    async *follow() {},
  },
});

function advance(
  of: ControlDeps,
  input: Parameters<typeof advanceRun>[2] = {},
  signal = new AbortController().signal,
): Promise<void> {
  return advanceRun(of, runId, input, signal);
}

async function failFirstStep(): Promise<void> {
  const ref = { stepId: extractGuidelinesUrls.name, generation: 1 };
  const ledger = openLedger(store, runId);
  await ledger.fail(ref, await ledger.begin(ref), { code: "internal", message: "no" }, { final: true });
}

/** The store, with something that happens just before the outcome of the first epoch is written. */
function beforeOutcome(happens: () => Promise<unknown>): ObjectStore {
  let happened = false;
  return {
    ...store,
    async create(key, body, options) {
      if (key.endsWith("outcomes/000001.json") && !happened) {
        happened = true;
        await happens();
      }
      return store.create(key, body, options);
    },
  };
}

describe("advancing a run", () => {
  it("submits what is missing as often as it is asked, under the same ids", async () => {
    await Promise.all([advance(deps()), advance(deps())]);
    expect(submitted).toEqual(["extract_guidelines_urls.g1", "extract_guidelines_urls.g1"]);
    expect(await openLedger(store, runId).outcome()).toBeNull();
  });

  it("records a failure once and submits nothing after it", async () => {
    await failFirstStep();
    await Promise.all([advance(deps()), advance(deps())]);
    await advance(deps());
    expect(await openLedger(store, runId).outcome()).toMatchObject({ n: 1, status: "failed" });
    expect(submitted).toEqual([]);
  });

  it("tells of the end once, though several find it at the same time", async () => {
    await failFirstStep();
    await advance(deps(beforeOutcome(() => advance(deps()))));
    expect(told).toEqual(["run.finished failed"]);
  });

  it("does not end a run that was resumed between its plan and the end", async () => {
    await failFirstStep();
    await advance(deps(beforeOutcome(() => resumeRun(deps(), runId))));
    const state = await openLedger(store, runId).load();
    expect(state).toMatchObject({ epoch: { n: 2 }, outcome: null });
    expect(submitted.at(-1)).toBe("extract_guidelines_urls.g2");
    expect(told).not.toContain("run.finished failed");
  });

  it("opens a run that ended before its resume was heard, and none that has nothing to do", async () => {
    await failFirstStep();
    await advance(deps());
    await advance(deps(), { reopen: "resume" });
    expect(await openLedger(store, runId).outcome()).toMatchObject({ n: 1, status: "failed" });
    await openLedger(store, runId).requestGeneration(extractGuidelinesUrls.name, 2, "resume");
    await advance(deps());
    expect(submitted).toEqual([]);
    await advance(deps(), { reopen: "resume" });
    expect(submitted).toEqual(["extract_guidelines_urls.g2"]);
    expect(await openLedger(store, runId).load()).toMatchObject({ epoch: { n: 2 }, outcome: null });
  });

  it("stops where it is told to: nothing further is read, submitted or ended", async () => {
    await failFirstStep();
    const stop = new AbortController();
    const asked: string[] = [];
    const watched: ObjectStore = {
      ...store,
      get(key, options) {
        asked.push(key);
        stop.abort();
        return store.get(key, options);
      },
    };
    await expect(advance(deps(watched), {}, stop.signal)).rejects.toMatchObject({ code: "cancelled" });
    expect(asked).toHaveLength(1);
    expect(await openLedger(store, runId).outcome()).toBeNull();
  });

  it("tells of the end though it is stopped as it writes it", async () => {
    await failFirstStep();
    const stop = new AbortController();
    await advance(deps(beforeOutcome(async () => stop.abort())), {}, stop.signal);
    expect(told).toEqual(["run.finished failed"]);
  });

  it("leaves a cancel that came first standing", async () => {
    await failFirstStep();
    const cancelled = { n: 1, status: "cancelled" as const, at: new Date(0).toISOString(), reasons: [] };
    await advance(deps(beforeOutcome(() => openLedger(store, runId).close(cancelled))));
    expect(await openLedger(store, runId).outcome()).toEqual(cancelled);
    expect(submitted).toEqual([]);
  });
});
