import {
  artifact,
  createResearchFile,
  gatheredArtifact,
  type Selection,
  selectResearchSourcesToKeep,
  selectResearchSourcesToScrape,
  sourceIndexSchema,
} from "@proofroom/contracts";
import type { Models } from "@proofroom/models";
import {
  geminiBlocked,
  geminiBody,
  geminiError,
  geminiLimit,
  openTestModels,
  type ScriptedAnswer,
  type TestModels,
  withoutModels,
} from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { handleCreateResearchFile } from "./create-research-file.ts";
import { FakeStepContext } from "./fake-step-context.ts";
import { createSelectToKeep } from "./select-to-keep.ts";
import { createSelectToScrape } from "./select-to-scrape.ts";
import { gatheredList, sourceArtifact, testSource } from "./test-source.ts";

const pages = [
  ["https://a.dev/backoff", "With exponential backoff a client doubles the pause between its attempts."],
  ["https://a.dev/jitter", "Jitter spreads clients over time, so that retries do not come together."],
  ["https://a.dev/more", "More about exponential backoff and jitter, and about retries."],
  ["https://shop.dev/", "Buy garden furniture made of teak and oak today."],
  ["https://b.dev/breakers", "A circuit breaker stops retries against a service that is broken."],
] as const;

const sources = pages.map(([ref, text]) => testSource(ref, `${text}\n`, { kind: "search_result" }));
const own = testSource("notes.md", "# Notes\n\nThe author's own notes about retries.\n", {
  kind: "document",
});

function stored(): Map<string, string> {
  return new Map(
    Object.entries({
      [artifact.guideline]:
        "# Retries\n\n## Section 1: Waiting\n- exponential backoff\n- jitter spreads clients\n\n## Section 2: Giving up\n- circuit breaker\n",
      [gatheredArtifact("process_local_files")]: JSON.stringify(gatheredList([own])),
      [gatheredArtifact("run_web_research")]: JSON.stringify(gatheredList(sources)),
      ...Object.fromEntries(
        [own, ...sources].map((source) => [sourceArtifact(source.ref), JSON.stringify(source)]),
      ),
    }),
  );
}

let opened: TestModels;
beforeEach(async () => {
  opened = await openTestModels();
});
afterEach(() => opened.close());

function answer(ids: readonly number[]): ScriptedAnswer {
  return { body: geminiBody(JSON.stringify({ source_ids: ids })) };
}

async function keep(files = stored(), models: Models = opened.models, signal?: AbortSignal) {
  const context = new FakeStepContext(selectResearchSourcesToKeep, {
    stored: files,
    ...(signal === undefined ? {} : { signal }),
  });
  return createSelectToKeep(models)({}, context);
}

async function scrape(files: Map<string, string>, max_sources = 2, models: Models = opened.models) {
  const context = new FakeStepContext(selectResearchSourcesToScrape, { stored: files });
  return createSelectToScrape(models)({ max_sources }, context);
}

async function indexed(files: Map<string, string>): Promise<string[]> {
  await handleCreateResearchFile({}, new FakeStepContext(createResearchFile, { stored: files }));
  const index = sourceIndexSchema.parse(JSON.parse(files.get(artifact.sources) ?? ""));
  return index.sources.map(({ ref }) => ref);
}

function note(files: Map<string, string>, name: string = artifact.selection): Selection {
  return JSON.parse(files.get(name) ?? "");
}

describe("the results to keep", () => {
  test("are those that the model chose, in the known formats; research.md is made of no other", async () => {
    opened.gemini.next(answer([5, 1, 5]));
    const files = stored();
    expect(await keep(files)).toMatchObject({
      kept: 2,
      considered: 5,
      degraded: false,
      selected_by: "gemini-flash-lite",
      reason: null,
    });
    expect(files.get(artifact.sourcesSelected)).toBe("1,5\n");
    expect(files.get(artifact.resultsSelected)?.match(/^### Source .*$/gm)).toEqual([
      "### Source [1]: https://a.dev/backoff",
      "### Source [5]: https://b.dev/breakers",
    ]);
    expect(await indexed(files)).toEqual(["notes.md", "https://a.dev/backoff", "https://b.dev/breakers"]);
  });

  test("may be none, if none is good enough", async () => {
    opened.gemini.next(answer([]));
    const files = stored();
    expect(await keep(files)).toMatchObject({ kept: 0, degraded: false });
    expect(await indexed(files)).toEqual(["notes.md"]);
  });

  test("can only be listed ones: a number that is not in the list is asked about once more", async () => {
    opened.gemini.next(answer([1, 99]), answer([1]));
    expect(await keep()).toMatchObject({ kept: 1, degraded: false });
    expect(opened.gemini.requests[1]?.text).toContain("99 is not in the list");
  });

  test.each([
    ["chooses what is not listed", Array(4).fill(answer([99])), /unfit/],
    ["answers something else", Array(4).fill({ body: geminiBody("All of them!") }), /not_json/],
    ["is cut off", Array(4).fill({ body: geminiBody("{", { finish: "MAX_TOKENS" }) }), /truncated/],
    ["is blocked", Array(4).fill({ body: geminiBlocked() }), /blocked/],
    ["cannot be reached", Array(4).fill({ cut: "at_once" }), /unreachable/],
    ["does not take the key", Array(2).fill(geminiError(403, "no")), /accepts its key/],
  ])(
    "where the model %s are chosen by rules and flagged, never all (fails open)",
    async (_name, answers, reason) => {
      opened.gemini.next(...(answers as ScriptedAnswer[]));
      const files = stored();
      const output = await keep(files);
      expect(output).toMatchObject({ degraded: true, selected_by: "extractive" });
      expect(output.reason).toMatch(reason);
      expect(output.kept).toBeLessThan(output.considered);
      expect(note(files)).toMatchObject({ degraded: true, reason: expect.stringMatching(reason) });
      expect(JSON.stringify([...files])).not.toContain("key-of-a-test");
    },
  );

  test("without a model bear on the guideline, are few of one site, and are flagged", async () => {
    const files = stored();
    expect(await keep(files, withoutModels)).toMatchObject({
      kept: 3,
      degraded: true,
      reason: expect.stringContaining("No model is configured"),
    });
    const kept = await indexed(files);
    expect(kept).not.toContain("https://shop.dev/");
    expect(kept.filter((ref) => ref.startsWith("https://a.dev/"))).toHaveLength(2);
    expect(kept).toContain("https://b.dev/breakers");
  });

  test("wait for a limit that ends later: that is no failed choice", async () => {
    opened.gemini.next(geminiLimit("PerDay", 900), geminiLimit("PerDay", 900));
    const files = stored();
    await expect(keep(files)).rejects.toMatchObject({ disposition: { kind: "wait" } });
    expect(files.has(artifact.selection)).toBe(false);
  });

  test("are not chosen once the work is cancelled", async () => {
    const controller = new AbortController();
    controller.abort(new Error("stop"));
    await expect(keep(stored(), opened.models, controller.signal)).rejects.toThrow("stop");
  });

  test("are none where nothing was found, which is told; without a search it is an error", async () => {
    const files = stored();
    files.set(gatheredArtifact("run_web_research"), JSON.stringify(gatheredList([])));
    expect(await keep(files)).toMatchObject({ kept: 0, considered: 0, reason: expect.any(String) });
    files.delete(gatheredArtifact("run_web_research"));
    await expect(keep(files)).rejects.toMatchObject({ code: "not_found" });
    expect(opened.gemini.requests).toHaveLength(0);
  });

  test("are what a person has left of them in the file", async () => {
    opened.gemini.next(answer([1, 5]));
    const files = stored();
    await keep(files);
    const [, second = ""] = (files.get(artifact.resultsSelected) ?? "").split(/(?=^### Source \[5\])/m);
    files.set(artifact.resultsSelected, second);
    expect(await indexed(files)).toEqual(["notes.md", "https://b.dev/breakers"]);
  });

  test("do not shut out what a later search finds", async () => {
    opened.gemini.next(answer([1]));
    const files = stored();
    await keep(files);
    const later = testSource("https://late.dev/", "Found later, about retries.\n", { kind: "search_result" });
    files.set(gatheredArtifact("run_web_research"), JSON.stringify(gatheredList([...sources, later])));
    files.set(sourceArtifact(later.ref), JSON.stringify(later));
    expect(await indexed(files)).toEqual(["notes.md", "https://a.dev/backoff", "https://late.dev/"]);
  });
});

describe("the pages to read in full", () => {
  async function kept(ids: readonly number[]): Promise<Map<string, string>> {
    const files = stored();
    opened.gemini.next(answer(ids));
    await keep(files);
    return files;
  }

  test("are chosen among the kept results alone, the most useful first", async () => {
    const files = await kept([1, 2, 5]);
    opened.gemini.next(answer([4]), answer([5, 1]));
    expect(await scrape(files)).toMatchObject({
      urls: ["https://b.dev/breakers", "https://a.dev/backoff"],
      degraded: false,
    });
    expect(files.get(artifact.urlsToScrape)).toBe("https://b.dev/breakers\nhttps://a.dev/backoff\n");
    expect(opened.gemini.requests[2]?.text).toContain("4 is not in the list");
  });

  test("are no more than were asked for", async () => {
    const files = await kept([1, 2, 5]);
    opened.gemini.next(answer([1, 2, 5]), answer([1, 2]));
    expect((await scrape(files)).urls).toHaveLength(2);
    expect(opened.gemini.requests[2]?.text).toContain("at most 2");
  });

  test("are not those that were read already", async () => {
    const files = await kept([1, 5]);
    const page = testSource("https://www.a.dev/backoff/", "The whole page about exponential backoff.\n");
    files.set(gatheredArtifact("scrape_and_clean_other_urls"), JSON.stringify(gatheredList([page])));
    files.set(sourceArtifact(page.ref), JSON.stringify(page));
    opened.gemini.next(answer([5]));
    await scrape(files);
    expect(opened.gemini.requests[1]?.text).not.toContain("https://a.dev/backoff");
  });

  test("without a model are of distinct sites, and flagged", async () => {
    const files = await kept([1, 2, 5]);
    const { urls, ...how } = await scrape(files, 5, withoutModels);
    expect(how).toMatchObject({ degraded: true, selected_by: "extractive" });
    expect(urls.map((url) => new URL(url).hostname).toSorted()).toEqual(["a.dev", "b.dev"]);
    expect(note(files, artifact.urlSelection)).toMatchObject({ degraded: true, chosen: urls });
  });

  test("are none where nothing was kept, and nobody is asked", async () => {
    const files = await kept([]);
    expect(await scrape(files)).toMatchObject({ urls: [], degraded: false });
    expect(opened.gemini.requests).toHaveLength(1);
  });
});

test("two hundred long results are all shown to the model, and fit into its context (172,000 tokens for 131,000)", async () => {
  const results = Array.from({ length: 200 }, (_, at) =>
    testSource(`https://${at}.dev/${"path/".repeat(400)}`, `${"About retries and backoff. ".repeat(200)}\n`, {
      kind: "search_result",
      title: `Result ${at} ${"and so on ".repeat(300)}`,
    }),
  );
  const files = stored();
  files.set(gatheredArtifact("run_web_research"), JSON.stringify(gatheredList(results)));
  for (const source of results) files.set(sourceArtifact(source.ref), JSON.stringify(source));
  opened.gemini.next(answer([200]));
  await keep(files);
  const shown = opened.gemini.requests[0]?.text ?? "";
  expect(shown.length).toBeLessThan(150_000);
  for (let number = 1; number <= 200; number += 1) expect(shown).toContain(`[${number}] Result`);
});
