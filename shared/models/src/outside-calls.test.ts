import { readFileSync } from "node:fs";
import { costOfRun, createFsStore, type ObjectStore, readObject } from "@proofroom/artifacts";
import { ProofroomError } from "@proofroom/contracts";
import { makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  type OpenOutsideCallsOptions,
  type OutsideCalls,
  openOutsideCalls,
  type SearchQuestion,
} from "./outside-calls.ts";
import type { Asker } from "./recordings.ts";
import type { RunFacts } from "./router.ts";
import { openSpending, type Spending } from "./spending.ts";
import { createLocalHolds } from "./testing/local-holds.ts";

const asker: Asker = { runId: "run_01ARZ3NDEKTSV4RRFFQ69G5FAV", stepId: "run_web_research", generation: 1 };
/** What the repository ships: Tavily has a price, arXiv costs nothing, and of Perplexity none is known. */
const shipped = new URL("../../../infra/models.yaml", import.meta.url);
const file = { name: "models.yaml", text: readFileSync(shipped, "utf8") };
const { signal } = new AbortController();

let folder: TempFolder;
let store: ObjectStore;

beforeEach(async () => {
  folder = await makeTempFolder();
  store = createFsStore({ root: folder.path });
});

afterEach(() => folder.close());

interface Opening {
  keepsText?: boolean;
  runs?: Partial<RunFacts>;
  spending?: Spending;
  metrics?: OpenOutsideCallsOptions["metrics"];
}

const spendingOf = (budgetOf: RunFacts["budgetOf"]) => openSpending(store, { budgetOf }, createLocalHolds());

function open({ keepsText = true, metrics, ...more }: Opening = {}): Promise<OutsideCalls> {
  const runs: RunFacts = {
    budgetOf: async () => ({}),
    answersOf: async (of) => ({ places: [of], only: false }),
    ...more.runs,
  };
  const spending = more.spending ?? spendingOf(runs.budgetOf);
  return openOutsideCalls({ file, store, now: () => new Date(0), keepsText, runs, spending, metrics });
}

function question(over: Partial<SearchQuestion<string[]>> = {}): SearchQuestion<string[]> {
  const found = z.array(z.string());
  return { asker, provider: "tavily", query: "how?", maxResults: 5, found, signal, ...over };
}

/** A search that says how often it was made. */
function counting(answer: () => string[] = () => ["page"]) {
  const made = { times: 0 };
  const call = async () => {
    made.times += 1;
    return answer();
  };
  return { made, call };
}

async function storedText(): Promise<string> {
  const keys = await Array.fromAsync(store.list(""));
  const texts = await Promise.all(keys.map(async ({ key }) => Buffer.from(await readObject(store, key))));
  return Buffer.concat(texts).toString("utf8");
}

describe("a search", () => {
  it("that was answered is not made again, by whoever goes on from there", async () => {
    const { made, call } = counting();
    expect(await (await open()).search(question(), call)).toEqual(["page"]);
    const later = { ...asker, generation: 2 };
    const goesOn = await open({ runs: { answersOf: async (of) => ({ places: [of, asker], only: false }) } });
    expect(await goesOn.search(question({ asker: later }), call)).toEqual(["page"]);
    expect(made.times).toBe(1);
    expect(await costOfRun(store, asker.runId)).toMatchObject({ searches: { tavily: 1 }, usd: 0.016 });
  });

  it("is counted with what it cost once it was made and answered, be it with nothing", async () => {
    const searched: unknown[] = [];
    const calls = await open({ metrics: { searched: (search) => void searched.push(search) } });
    const { call } = counting();
    await calls.search(question(), call);
    await calls.search(question(), call);
    await calls.search(question({ query: "what it said" }), async (costs) => {
      costs(0.5);
      return ["page"];
    });
    const failing = (code: "no_evidence" | "dependency_down") => async () => {
      throw new ProofroomError({ code, message: "m" });
    };
    await calls.search(question({ query: "none" }), failing("no_evidence")).catch(() => undefined);
    await calls.search(question({ query: "away" }), failing("dependency_down")).catch(() => undefined);
    await calls.search(question({ provider: "perplexity" }), call);
    expect(searched).toEqual([
      { provider: "tavily", cost: 0.016 },
      { provider: "tavily", cost: 0.5 },
      { provider: "tavily", cost: 0.016 },
      { provider: "perplexity", cost: 0 },
    ]);
  });

  it("that was kept in another form, as by an earlier version, is made again", async () => {
    const { made, call } = counting();
    const calls = await open();
    await calls.search({ ...question(), found: z.number() }, async () => 1);
    expect(await calls.search(question(), call)).toEqual(["page"]);
    expect(made.times).toBe(1);
  });

  it.each([
    ["query", { query: "why?" }],
    ["provider", { provider: "arxiv" }],
    ["number of results", { maxResults: 9 }],
    ["generation", { asker: { ...asker, generation: 2 } }],
  ])("of another %s is another search", async (_what, over) => {
    const { made, call } = counting();
    const calls = await open();
    await calls.search(question(), call);
    await calls.search(question(over), call);
    expect(made.times).toBe(2);
  });

  it("that found nothing is not made again either, and says so in the same words", async () => {
    const { made, call } = counting(() => {
      throw new ProofroomError({
        code: "no_evidence",
        message: "It found nothing.",
        remedy: "Ask otherwise.",
      });
    });
    const calls = await open();
    const nothing = { code: "no_evidence", message: "It found nothing.", remedy: "Ask otherwise." };
    await expect(calls.search(question(), call)).rejects.toMatchObject(nothing);
    await expect(calls.search(question(), call)).rejects.toMatchObject(nothing);
    expect(made.times).toBe(1);
    expect(await costOfRun(store, asker.runId)).toMatchObject({ searches: { tavily: 1 } });
  });

  it("that failed is no answer, is not counted, and is made again", async () => {
    const { made, call } = counting(() => {
      if (made.times === 1) throw new ProofroomError({ code: "timeout", message: "It took too long." });
      return ["page"];
    });
    const calls = await open({ runs: { budgetOf: async () => ({ searches: 1 }) } });
    await expect(calls.search(question(), call)).rejects.toMatchObject({ code: "timeout" });
    expect(await calls.search(question(), call)).toEqual(["page"]);
  });

  it("leaves nothing of its words where nothing may be kept, but is counted", async () => {
    const { made, call } = counting(() => ["a private page"]);
    const calls = await open({ keepsText: false, runs: { budgetOf: async () => ({ searches: 2 }) } });
    await calls.search(question({ query: "a private question" }), call);
    await calls.page({ asker, url: "https://private.example/", signal }, async () => "a private page");
    expect(await storedText()).not.toContain("private");
    await calls.search(question({ query: "a private question" }), call);
    await expect(calls.search(question(), call)).rejects.toMatchObject({ code: "budget" });
    expect(made.times).toBe(2);
    expect(await costOfRun(store, asker.runId)).toMatchObject({ searches: { tavily: 2 }, pages: 1 });
  });

  it("is answered in a replay from what was recorded, and made by nobody", async () => {
    const source = { ...asker, runId: "run_01ARZ3NDEKTSV4RRFFQ69G5FAW" };
    const { made, call } = counting();
    await (await open()).search(question({ asker: source }), call);
    const replay = await open({ runs: { answersOf: async () => ({ places: [source], only: true }) } });
    expect(await replay.search(question(), call)).toEqual(["page"]);
    await expect(replay.search(question({ query: "why?" }), call)).rejects.toMatchObject({
      code: "not_found",
    });
    expect(made.times).toBe(1);
  });

  it("is told apart where its price is not known", async () => {
    await (await open()).search(question({ provider: "perplexity" }), async () => ["page"]);
    expect(await costOfRun(store, asker.runId)).toMatchObject({ usd: 0, unpriced_searches: 1 });
  });

  it("costs what its provider says, whatever its price is, and what the run may spend is reckoned with that", async () => {
    const calls = await open({ runs: { budgetOf: async () => ({ usd: 0.05 }) } });
    await calls.search(question({ provider: "perplexity" }), async (costs) => {
      costs(0.02);
      return ["page"];
    });
    const nothing = calls.search(question({ query: "why?" }), async (costs) => {
      costs(0.03);
      throw new ProofroomError({ code: "no_evidence", message: "It found nothing." });
    });
    await expect(nothing).rejects.toMatchObject({ code: "no_evidence" });
    expect(await costOfRun(store, asker.runId)).toMatchObject({ usd: 0.05, unpriced_searches: 0 });
    const more = calls.search(question({ query: "when?" }), async () => ["page"]);
    await expect(more).rejects.toMatchObject({ code: "budget" });
  });
});

describe("the budget of a run", () => {
  it("is asked before the search and before the page", async () => {
    const { made, call } = counting();
    const calls = await open({ runs: { budgetOf: async () => ({ usd: 0.02, searches: 5, pages: 1 }) } });
    await calls.search(question(), call);
    await expect(calls.search(question({ query: "dear" }), call)).rejects.toMatchObject({ code: "budget" });
    expect(await calls.search(question({ provider: "arxiv" }), call)).toEqual(["page"]);
    const page = (url: string) => calls.page({ asker, url, signal }, call);
    await page("https://a.example/");
    await expect(page("https://b.example/")).rejects.toMatchObject({ code: "budget" });
    expect(made.times).toBe(3);
  });

  it("holds for a search and for what else the run spends meanwhile", async () => {
    const spending = spendingOf(async () => ({ usd: 0.02 }));
    const calls = await open({ spending });
    const end = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const search = calls.search(question(), async () => {
      begun.resolve();
      await end.promise;
      return ["page"];
    });
    await begun.promise;
    const { made, call } = counting();
    const model = spending.budgets.within({ runId: asker.runId, atMost: { usd: 0.01 }, signal }, call);
    const refused = expect(model).rejects.toMatchObject({ code: "budget" });
    end.resolve();
    await Promise.all([search, refused]);
    expect(made.times).toBe(0);
  });

  it("holds for searches that are made at once", async () => {
    const { made, call } = counting();
    const calls = await open({ runs: { budgetOf: async () => ({ searches: 3 }) } });
    const all = Array.from({ length: 8 }, (_, at) => calls.search(question({ query: `${at}` }), call));
    const ends = await Promise.allSettled(all);
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(made.times).toBe(3);
  });
});
