import { createFsStore, type ObjectStore } from "@proofroom/artifacts";
import { createTestRun, makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openLedger } from "./ledger.ts";

let folder: TempFolder;
let store: ObjectStore;
let runId: string;

beforeEach(async () => {
  folder = await makeTempFolder();
  store = createFsStore({ root: folder.path });
  runId = await createTestRun(store);
});

afterEach(() => folder.close());

/** As another process has it. */
const another = () => openLedger(store, runId);
const at = new Date(0).toISOString();
const error = { code: "internal" as const, message: "no" };

describe("a ledger", () => {
  it("opens one epoch however many open it at once, and the next only when that has ended", async () => {
    const opened = await Promise.all(Array.from({ length: 8 }, () => another().open("start")));
    expect(new Set(opened.map(({ n }) => n))).toEqual(new Set([1]));
    await another().close({ n: 1, status: "failed", at, reasons: [] });
    const next = await Promise.all(Array.from({ length: 8 }, () => another().open("resume")));
    expect(new Set(next.map(({ n }) => n))).toEqual(new Set([2]));
  });

  it("keeps the first of two outcomes of an epoch, and gives it to both writers", async () => {
    await another().open("start");
    const ends = await Promise.all([
      another().close({ n: 1, status: "failed", at, reasons: [], error }),
      another().close({ n: 1, status: "cancelled", at, reasons: [] }),
    ]);
    expect(ends[0]).toEqual(ends[1]);
    expect(await another().outcome()).toEqual(ends[0]);
  });

  it("sees each epoch that another process opens or ends, whatever it saw before", async () => {
    const ledger = openLedger(store, runId);
    const seen: string[] = [];
    const look = async () => {
      const { epoch, outcome } = await ledger.standing();
      expect(await ledger.outcome()).toEqual(outcome);
      seen.push(`${epoch?.n ?? "none"} ${outcome?.status ?? "open"}`);
    };
    await look();
    for (const n of [1, 2, 3]) {
      await another().open("resume");
      if (n !== 2) await look();
      await another().close({ n, status: "cancelled", at, reasons: [] });
      if (n !== 2) await look();
    }
    expect(seen).toEqual(["none open", "1 open", "1 cancelled", "3 open", "3 cancelled"]);
  });

  it("counts the executions that ended without a word, and not those that failed", async () => {
    const ref = { stepId: "verify_citations", generation: 1 };
    await another().begin(ref);
    const attempt = await another().begin(ref);
    await another().begin(ref);
    await another().fail(ref, attempt, error, { final: true });
    expect(await another().lostStarts(ref)).toBe(2);
  });

  it("takes a step as failed only at its newest generation, and only while it has no record", async () => {
    const ref = { stepId: "verify_citations", generation: 1 };
    await another().fail(ref, await another().begin(ref), error, { final: true });
    expect((await another().load()).steps.get(ref.stepId)).toMatchObject({ generation: 1, failure: error });
    await another().requestGeneration(ref.stepId, 2, "resume");
    expect((await another().load()).steps.get(ref.stepId)).toMatchObject({ generation: 2, failure: null });
  });
});
