import { createFsStore, type ObjectStore, openRunArtifacts } from "@proofroom/artifacts";
import {
  artifact,
  type Capability,
  createResearchFile,
  gatheredArtifact,
  gatheredSchema,
  generateNextQueries,
  runWebResearch,
  selectResearchSourcesToKeep,
  selectResearchSourcesToScrape,
  sourceSchema,
} from "@proofroom/contracts";
import { type AnyHandler, createCancellations, executeStep } from "@proofroom/runtime";
import { isStale, loadSuccessors, openLedger } from "@proofroom/runtime/records";
import { silentLogger } from "@proofroom/telemetry";
import {
  createTestRun,
  type FakeProvider,
  makeTempFolder,
  startFakeProvider,
  type TempFolder,
  tavilyBody,
  uncountedCalls,
  withoutModels,
} from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { providersAt, searchedAt } from "../search/test-search.ts";
import { handleCreateResearchFile } from "./create-research-file.ts";
import { createGenerateNextQueries } from "./generate-next-queries.ts";
import { createRunWebResearch } from "./run-web-research.ts";
import { createSelectToKeep } from "./select-to-keep.ts";
import { createSelectToScrape } from "./select-to-scrape.ts";

const results = ".nova/perplexity_results.md";

let folder: TempFolder;
let store: ObjectStore;
let runId: string;
let fake: FakeProvider;
/** Counts the answers: no two are the same. */
let answers: number;

beforeEach(async () => {
  folder = await makeTempFolder();
  store = createFsStore({ root: folder.path });
  runId = await createTestRun(store);
  await openLedger(store, runId).open("start");
  answers = 0;
  fake = await startFakeProvider((request) => {
    const { query } = request.json() as { query: string };
    answers += 1;
    const own = { url: `https://x.dev/${query}`, title: query, text: `Answer ${answers} to the query.` };
    const shared = { url: "https://shared.dev/", title: "Shared", text: `What is said there of ${query}.` };
    return { body: tavilyBody(query, [own, shared]) };
  });
});

afterEach(async () => {
  await fake.close();
  await folder.close();
});

async function execute(
  capability: Capability,
  handler: AnyHandler,
  job: { step_id: string; generation: number; input: Record<string, unknown> },
): Promise<void> {
  const bus = { onCancel: () => {}, onGap: () => {} };
  const events = {
    publish: () => undefined,
    position: async () => "0",
    flush: async () => undefined,
    async *follow() {},
  };
  await executeStep(
    { store, events, cancellations: createCancellations(bus, async () => false), log: silentLogger() },
    capability,
    handler,
    {
      job: { v: 1, run_id: runId, capability: capability.name, ...job },
      lastAttempt: false,
      failedChildren: async () => new Set(),
      signal: new AbortController().signal,
    },
  );
}

function handler(): AnyHandler {
  const providers = providersAt(fake.base);
  return createRunWebResearch({
    providers,
    calls: uncountedCalls,
    now: () => searchedAt,
    wait: async () => {},
  }) as AnyHandler;
}

function stepIdFor(query: string): string {
  return `run_web_research-${query.padStart(16, "0")}`;
}

function search(query: string, generation = 1, how: AnyHandler = handler()): Promise<void> {
  const job = {
    step_id: stepIdFor(query),
    generation,
    input: { queries: [query] },
  };
  return execute(runWebResearch, how, job);
}

async function read(name: string): Promise<string> {
  const artifacts = openRunArtifacts(store, runId);
  const version = await artifacts.latest(name);
  return version === null ? "" : Buffer.from(await artifacts.read(name, version)).toString("utf8");
}

async function gathered() {
  return gatheredSchema.parse(JSON.parse(await read(gatheredArtifact("run_web_research"))));
}

async function numbered(): Promise<[string, string][]> {
  const text = await read(results);
  return [...text.matchAll(/^### Source \[(\d+)\]: (.*)$/gm)].map(([, n = "", url = ""]) => [n, url]);
}

describe("searches of one run", () => {
  test("that go on at the same time lose nothing and give no number twice (race: 2,595 duplicate ids)", async () => {
    const queries = ["1", "2", "3", "4"];
    await Promise.all(queries.map((query) => search(query)));
    const { sources } = await gathered();
    const refs = ["https://shared.dev/", ...queries.map((query) => `https://x.dev/${query}`)].sort();
    expect(sources.map(({ ref }) => ref).sort()).toEqual(refs);
    const blocks = await numbered();
    expect(blocks.map(([n]) => n)).toEqual(blocks.map((_block, at) => String(at + 1)));
    expect(blocks.map(([, url]) => url).sort()).toEqual(refs);
    for (const { artifact: name, sha256 } of sources) {
      expect(sourceSchema.parse(JSON.parse(await read(name))).sha256).toBe(sha256);
    }
    const shared = sources.find(({ ref }) => ref === "https://shared.dev/");
    expect(shared?.queries?.toSorted()).toEqual(queries);
  });

  test("give the same list when one is executed again after its worker was lost", async () => {
    await search("1");
    const lost: AnyHandler = async (input, context) => {
      await handler()(input, context);
      throw new Error("the worker is gone");
    };
    await expect(search("2", 1, lost)).rejects.toThrow();
    await search("2");
    expect((await numbered()).map(([, url]) => url)).toEqual([
      "https://x.dev/1",
      "https://shared.dev/",
      "https://x.dev/2",
    ]);
    const text = await read(results);
    expect(text).not.toContain("Answer 2 ");
    expect(text).toContain("Answer 3 ");
  });

  test("one that is repeated replaces what it found before, not what others found", async () => {
    await search("1");
    await search("2");
    await search("1", 2);
    const text = await read(results);
    expect(text).toContain("Answer 2 ");
    expect(text).toContain("Answer 3 ");
    expect(text).not.toContain("Answer 1 ");
    expect((await gathered()).sources.map(({ ref }) => ref).sort()).toEqual([
      "https://shared.dev/",
      "https://x.dev/1",
      "https://x.dev/2",
    ]);
  });

  test("do not bring back what a person took out of the list", async () => {
    await search("1");
    const { sources, failures } = await gathered();
    const kept = sources.filter(({ ref }) => ref !== "https://x.dev/1");
    const text = JSON.stringify({ v: 1, sources: kept, failures });
    const artifacts = openRunArtifacts(store, runId);
    await artifacts.write(gatheredArtifact("run_web_research"), Buffer.from(text), { author: "person" });
    await search("2");
    expect((await gathered()).sources.map(({ ref }) => ref)).toEqual([
      "https://shared.dev/",
      "https://x.dev/2",
    ]);
  });

  test("leave each other's results standing: none is to be paid again because another came", async () => {
    await search("1");
    await search("2");
    await search("3");
    const ledger = openLedger(store, runId);
    const ids = ["1", "2", "3"].map((query) => stepIdFor(query));
    const records = await Promise.all(ids.map((stepId) => ledger.record({ stepId, generation: 1 })));
    const known = records.filter((record) => record !== null);
    const successors = await loadSuccessors(openRunArtifacts(store, runId), known);
    expect(known.map((record) => isStale(record, successors, () => "outside"))).toEqual([
      false,
      false,
      false,
    ]);
  });

  test("reach the index of sources with their ids", async () => {
    await search("1");
    await execute(createResearchFile, handleCreateResearchFile as AnyHandler, {
      step_id: createResearchFile.name,
      generation: 1,
      input: {},
    });
    expect(JSON.parse(await read(artifact.sources))).toMatchObject({
      sources: [
        { id: "S1", kind: "search_result", ref: "https://x.dev/1", queries: ["1"] },
        { id: "S2", kind: "search_result", ref: "https://shared.dev/" },
      ],
    });
  });

  test("are asked for, kept and chosen without a model, until a round brings nothing new", async () => {
    const artifacts = openRunArtifacts(store, runId);
    const guideline = "# Retries\n\n## Section 1: Waiting\n- exponential backoff\n- jitter\n";
    await artifacts.write(artifact.guideline, Buffer.from(guideline), { author: "person" });
    const run = (capability: Capability, how: unknown, input: Record<string, unknown> = {}) =>
      execute(capability, how as AnyHandler, { step_id: capability.name, generation: 1, input });
    const proposed = async (round: number) => {
      const step_id = `generate_next_queries-${String(round).padStart(16, "0")}`;
      const how = createGenerateNextQueries(withoutModels) as AnyHandler;
      await execute(generateNextQueries, how, { step_id, generation: 1, input: { round } });
      return JSON.parse(await read(artifact.nextQueries)) as {
        queries: { question: string }[];
        reason?: string;
      };
    };
    const first = await proposed(1);
    expect(first.queries.map(({ question }) => question)).toEqual([
      "Retries: exponential backoff",
      "Retries: jitter",
    ]);
    const input = { queries: first.queries.map(({ question }) => question) };
    await execute(runWebResearch, handler(), { step_id: stepIdFor("1"), generation: 1, input });
    expect((await proposed(2)).reason).toBe("No gap is left.");
    await run(selectResearchSourcesToKeep, createSelectToKeep(withoutModels));
    expect(await read(artifact.sourcesSelected)).toMatch(/^\d+(?:,\d+)*\n$/);
    await run(selectResearchSourcesToScrape, createSelectToScrape(withoutModels));
    const urls = (await read(artifact.urlsToScrape)).trim().split("\n");
    expect(new Set(urls.map((url) => new URL(url).hostname)).size).toBe(urls.length);
    await run(createResearchFile, handleCreateResearchFile);
    const kept = await read(artifact.resultsSelected);
    const { sources } = JSON.parse(await read(artifact.sources)) as { sources: { ref: string }[] };
    expect(sources.map(({ ref }) => ref)).toEqual(
      [...kept.matchAll(/^### Source \[\d+\]: (.*)$/gm)].map(([, ref]) => ref),
    );
  });
});
