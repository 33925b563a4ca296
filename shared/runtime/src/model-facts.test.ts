import { createFsStore, type ObjectStore } from "@proofroom/artifacts";
import { runOptionsSchema } from "@proofroom/contracts";
import { createTestRun, makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openLedger } from "./ledger.ts";
import { type ModelFacts, openModelFacts, setBudget } from "./model-facts.ts";

let folder: TempFolder;
let store: ObjectStore;
let facts: ModelFacts;

beforeEach(async () => {
  folder = await makeTempFolder();
  store = createFsStore({ root: folder.path });
  facts = openModelFacts(store);
});

afterEach(() => folder.close());

const stepId = "draft_article_section-0123456789abcdef";

async function finish(runId: string, generation: number, parent?: string): Promise<void> {
  await openLedger(store, runId).commit(
    { stepId, generation, parent },
    {
      v: 1,
      step_id: stepId,
      generation,
      capability: "draft_article_section",
      step_key: "0".repeat(64),
      input_sha256: "0".repeat(64),
      reads: [],
      writes: [],
      output: {},
      started_at: new Date(0).toISOString(),
      finished_at: new Date(0).toISOString(),
    },
  );
}

describe("the budget of a run", () => {
  it("is none, or what it was created with, or what was said last, however many say it at once", async () => {
    const none = { usd: undefined, tokens: undefined, searches: undefined, pages: undefined };
    expect(await facts.budgetOf(await createTestRun(store))).toEqual(none);
    const runId = await createTestRun(store, { options: runOptionsSchema.parse({ budget_usd: 0.25 }) });
    expect(await facts.budgetOf(runId)).toEqual({ ...none, usd: 0.25 });
    await Promise.all([
      setBudget(store, runId, { budget_usd: 0.3 }),
      setBudget(store, runId, { budget_searches: 7, budget_usd: undefined }),
    ]);
    expect(await facts.budgetOf(runId)).toEqual({ ...none, usd: 0.3, searches: 7 });
    await setBudget(store, runId, { budget_usd: 0 });
    expect(await facts.budgetOf(runId)).toEqual({ ...none, usd: 0, searches: 7 });
  });
});

describe("the answers that count for a generation", () => {
  it("are its own and those of the ones before it that failed, and none of one that had finished", async () => {
    const runId = await createTestRun(store);
    const at = (generation: number) => ({ runId, stepId, generation });
    expect(await facts.answersOf(at(1))).toEqual({ places: [at(1)], only: false });
    expect(await facts.answersOf(at(3))).toEqual({ places: [at(3), at(2), at(1)], only: false });
    await finish(runId, 1);
    expect(await facts.answersOf(at(3))).toEqual({ places: [at(3), at(2)], only: false });
  });

  it("cannot be told in a replay whose source is gone", async () => {
    const runId = await createTestRun(store, { replayOf: `run_${"0".repeat(26)}` });
    await expect(facts.answersOf({ runId, stepId, generation: 1 })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("are in a replay those that the replayed run ended with, and no others", async () => {
    const source = await createTestRun(store);
    const runId = await createTestRun(store, { replayOf: source });
    expect(await facts.answersOf({ runId, stepId, generation: 1 })).toEqual({ places: [], only: true });
    await finish(source, 1);
    await finish(source, 10);
    const { places, only } = await facts.answersOf({ runId, stepId, generation: 1 });
    expect(only).toBe(true);
    expect(places[0]).toEqual({ runId: source, stepId, generation: 10 });
    expect(places.at(-1)).toEqual({ runId: source, stepId, generation: 2 });
  });

  it("are in a replay also those to the questions of children", async () => {
    const source = await createTestRun(store);
    const runId = await createTestRun(store, { replayOf: source });
    await finish(source, 2, "scrape_and_clean_other_urls");
    const { places } = await facts.answersOf({ runId, stepId, generation: 1 });
    expect(places.map(({ generation }) => generation)).toEqual([2, 1]);
    const another = stepId.replace("0123", "3210");
    expect((await facts.answersOf({ runId, stepId: another, generation: 1 })).places).toEqual([]);
  });
});
