import {
  type Gathered,
  type GuidelineReferences,
  gatheredSchema,
  gatherOutputSchema,
  ingestVideo,
  type PublicError,
  processGithubUrls,
  processLocalFiles,
  type Source,
  scrapeAndCleanOtherUrls,
  scrapeResearchUrls,
  toProofroomError,
  toPublicError,
  transcribeYoutubeUrls,
  type Uploads,
} from "@proofroom/contracts";
import { withoutModels } from "@proofroom/testing";
import { describe, expect, test } from "vitest";
import { createIngestVideo } from "../ingest/video/handler.ts";
import { FakeStepContext } from "./fake-step-context.ts";
import { handleProcessGithubUrls } from "./process-github-urls.ts";
import { handleProcessLocalFiles } from "./process-local-files.ts";
import { handleScrapeAndCleanOtherUrls } from "./scrape-and-clean-other-urls.ts";
import { handleScrapeResearchUrls } from "./scrape-research-urls.ts";
import { ingested, sourceArtifact, testSource } from "./test-source.ts";
import { handleTranscribeYoutubeUrls } from "./transcribe-youtube-urls.ts";

const references = ".nova/guidelines_filenames.json";
const none: GuidelineReferences = {
  github_urls: [],
  youtube_videos_urls: [],
  other_urls: [],
  local_file_paths: [],
  git_urls: [],
  rejected: [],
};
const gone: PublicError = {
  code: "not_found",
  message: "There is no such page (status 404).",
  remedy: "Check.",
};

/** Children that answer with the given sources, by reference, and fail with `gone` for the others. */
function childrenOf(sources: readonly Source[]) {
  const child = (input: { url?: string; ref?: string; path?: string }) => {
    const source = sources.find(({ ref }) => ref === (input.url ?? input.ref ?? input.path));
    return source === undefined ? { error: gone } : { output: ingested(source) };
  };
  return { ingest_web_page: child, ingest_repository: child, ingest_document: child, ingest_video: child };
}

function stored(sources: readonly Source[]): Record<string, unknown> {
  return Object.fromEntries(sources.map((source) => [sourceArtifact(source.ref), source]));
}

function gatheredOf(context: FakeStepContext, name: string): Gathered {
  return gatheredSchema.parse(JSON.parse(context.stored.get(`.nova/gathered/${name}.json`) ?? ""));
}

const copies = (context: FakeStepContext, folder: string) =>
  [...context.stored.keys()].filter((name) => name.startsWith(folder)).sort();

function pagesContext(urls: string[], sources: readonly Source[]): FakeStepContext {
  return new FakeStepContext(scrapeAndCleanOtherUrls, {
    stored: { [references]: { ...none, other_urls: urls }, ...stored(sources) },
    children: childrenOf(sources),
  });
}

describe("scrape_and_clean_other_urls", () => {
  test("lists sources and failures in the guideline's order, with a copy of each source", async () => {
    const [a, c] = [
      testSource("https://x.dev/a", "# A\n\nText of a."),
      testSource("https://x.dev/c", "Text of c."),
    ];
    const context = pagesContext(["https://x.dev/c", "https://x.dev/b", "https://x.dev/a"], [a, c]);
    const output = await handleScrapeAndCleanOtherUrls({}, context);
    expect(gatherOutputSchema.parse(output)).toEqual({
      status: "partial_success",
      requested: 3,
      gathered: 2,
      failed: 1,
      artifact: ".nova/gathered/scrape_and_clean_other_urls.json",
      failures: [{ ref: "https://x.dev/b", kind: "web_page", ...gone }],
    });
    const gathered = gatheredOf(context, "scrape_and_clean_other_urls");
    expect(gathered.sources.map(({ ref }) => ref)).toEqual(["https://x.dev/c", "https://x.dev/a"]);
    expect(gathered.failures).toEqual(output.failures);
    expect(context.stored.get(".nova/urls_from_guidelines/title-of-https-x-dev-a.md")).toBe(
      "# A\n\nText of a.\n",
    );
    expect(context.stored.get(".nova/urls_from_guidelines/title-of-https-x-dev-c.md")).toBe(
      "# Title of https://x.dev/c\n\nText of c.\n",
    );
  });

  test("pages of the same title do not overwrite each other", async () => {
    const titled = (ref: string, text: string, title: string) => testSource(ref, text, { title });
    const sources = [
      titled("https://x.dev/1", "One.", "Docs"),
      titled("https://x.dev/2", "Two.", "docs"),
      titled("https://x.dev/3", "Three.", "../Docs"),
    ];
    const context = pagesContext(
      sources.map(({ ref }) => ref),
      sources,
    );
    await handleScrapeAndCleanOtherUrls({}, context);
    expect(copies(context, ".nova/urls_from_guidelines/")).toEqual([
      ".nova/urls_from_guidelines/docs-2.md",
      ".nova/urls_from_guidelines/docs-3.md",
      ".nova/urls_from_guidelines/docs.md",
    ]);
    expect(context.stored.get(".nova/urls_from_guidelines/docs-2.md")).toContain("Two.");
  });

  test("of equal texts one copy is kept, and all references are listed", async () => {
    const sources = [testSource("https://x.dev/a", "Same."), testSource("https://x.dev/b", "Same.")];
    const context = pagesContext(
      sources.map(({ ref }) => ref),
      sources,
    );
    await expect(handleScrapeAndCleanOtherUrls({}, context)).resolves.toMatchObject({
      status: "success",
      gathered: 2,
    });
    expect(copies(context, ".nova/urls_from_guidelines/")).toHaveLength(1);
    expect(gatheredOf(context, "scrape_and_clean_other_urls").sources).toHaveLength(2);
  });

  test("nothing gathered of something asked is an error, and all failures are in the artifact", async () => {
    const urls = Array.from({ length: 25 }, (_, n) => `https://x.dev/${n}`);
    const context = pagesContext(urls, []);
    const output = await handleScrapeAndCleanOtherUrls({}, context);
    expect(output).toMatchObject({ status: "error", requested: 25, gathered: 0, failed: 25 });
    expect(output.failures).toHaveLength(20);
    expect(gatheredOf(context, "scrape_and_clean_other_urls").failures).toHaveLength(25);
  });

  test("nothing asked is a success with zeros", async () => {
    const output = await handleScrapeAndCleanOtherUrls({}, pagesContext([], []));
    expect(output).toMatchObject({ status: "success", requested: 0, gathered: 0, failed: 0 });
  });

  test("before the guideline was read it says what to run", async () => {
    const context = new FakeStepContext(scrapeAndCleanOtherUrls);
    await expect(handleScrapeAndCleanOtherUrls({}, context)).rejects.toMatchObject({
      code: "not_found",
      remedy: "Run extract_guidelines_urls first.",
    });
  });
});

describe("a site among the guideline's pages", () => {
  const ref = "https://x.dev/guide/*";
  const at = (name: string) => `https://x.dev/guide/${name}`;

  async function gathered(site: object, urls = [ref]) {
    const sources = ["a", "b"].map((name) => testSource(at(name), `Text of ${name}.`));
    const artifact = ".nova/sites/map_site-1.json";
    const context = new FakeStepContext(scrapeAndCleanOtherUrls, {
      stored: {
        [references]: { ...none, other_urls: urls },
        [artifact]: {
          v: 1,
          ref,
          method: "http",
          pages: [at("a"), at("b"), at("c")],
          more: false,
          forbidden: 0,
          ...site,
        },
        ...stored(sources),
      },
      children: {
        ...childrenOf(sources),
        map_site: () => ({ output: { pages: 3, artifact } }),
        ingest_web_page: ({ url }: { url: string }) => {
          const source = sources.find((one) => one.ref === url);
          if (source === undefined) return { error: gone };
          return { output: { ...ingested(source), ...(url === at("a") ? { from_cache: true } : {}) } };
        },
      },
    });
    const output = gatherOutputSchema.parse(await handleScrapeAndCleanOtherUrls({}, context));
    const { submitted } = context;
    return { output, submitted, list: gatheredOf(context, "scrape_and_clean_other_urls") };
  }

  test("its refused pages are failures by name, what was not taken of it is a note, and the counts add up", async () => {
    const { output, list } = await gathered({
      more: true,
      found: 9,
      forbidden: 3,
      refused: [at("kept?t=1"), at("kept/b")],
    });
    expect(output).toMatchObject({
      status: "partial_success",
      requested: 5,
      gathered: 2,
      from_cache: 1,
      failed: 3,
    });
    expect(output.failures.map(({ ref, code }) => [ref, code])).toEqual([
      [at("c"), "not_found"],
      [at("kept?t=1"), "refused"],
      [at("kept/b"), "refused"],
    ]);
    expect(output.failures[1]?.message).toContain(`${at("kept")} is one that the site's robots.txt`);
    expect(output.notes).toEqual([
      {
        ref,
        message: "At least 9 pages were found below this address; the first 3 were taken.",
        remedy: expect.stringContaining("PROOFROOM_SITE_PAGES"),
      },
      {
        ref,
        message: "The site's robots.txt asks programs not to fetch 1 more of its pages.",
        remedy: expect.stringContaining("PROOFROOM_ROBOTS"),
      },
    ]);
    expect(list).toMatchObject({ failures: output.failures, notes: output.notes });
  });

  test("a map that an earlier version drew is read as well", async () => {
    const { output } = await gathered({ more: true, forbidden: 2 });
    expect(output).toMatchObject({ requested: 3, gathered: 2, failed: 1 });
    expect(output.notes?.map(({ message }) => message)).toEqual([
      "More pages than were taken were found below this address; the first 3 were taken.",
      "The site's robots.txt asks programs not to fetch 2 of its pages.",
    ]);
  });

  test("the pages that its map has fetched are read from there, whoever names them", async () => {
    const fetched = {
      artifact: ".nova/sites/map_site-1/0123",
      final_url: at("a"),
      content_type: "text/html",
      retrieved_at: "2026-03-01T12:00:00.000Z",
    };
    const { submitted } = await gathered({ fetched: { [at("a")]: fetched } }, [at("a"), ref]);
    expect(submitted.slice(1).map(({ input }) => input)).toEqual([
      { url: at("a"), site: ".nova/sites/map_site-1.json" },
      { url: at("b") },
      { url: at("c") },
    ]);
  });

  test("it is told why it was mapped another way, and without anything to tell there are no notes", async () => {
    const note = "Found without Firecrawl: it is at its limits.";
    expect((await gathered({ note })).output.notes).toEqual([{ ref, message: note }]);
    expect((await gathered({}, [ref, ref])).output.notes).toBeUndefined();
  });
});

describe("process_local_files", () => {
  const uploads: Uploads = {
    v: 1,
    entries: [
      { path: "a/b.py", kind: "file", files: ["a/b.py"] },
      { path: "a_b.py", kind: "file", files: ["a_b.py"] },
      { path: "notes.ipynb", kind: "file", files: ["notes.ipynb"] },
      { path: "src/", kind: "folder", files: ["src/x.ts"] },
      { path: "lib/", kind: "repository", files: ["lib/y.ts"], commit: "c".repeat(40) },
      { path: "big.pdf", kind: "file", files: [], error: { code: "too_large", message: "Too large." } },
      { path: "odd.md", kind: "file", files: [], error: { code: "EACCES", message: "Not readable." } },
    ],
  };
  const paths = ["src/", "a/b.py", "a_b.py", "missing.md", "big.pdf", "odd.md", "notes.ipynb"];
  const sources = ["a/b.py", "a_b.py", "notes.ipynb", "src/", "lib/"].map((ref) =>
    testSource(ref, `Text of ${ref}`, { kind: "document" }),
  );

  test("sends the named files and folders to their jobs; what was not copied fails without one", async () => {
    const context = new FakeStepContext(processLocalFiles, {
      stored: {
        [references]: { ...none, local_file_paths: paths },
        ".nova/uploads.json": uploads,
        ...stored(sources),
      },
      children: childrenOf(sources),
    });
    const output = await handleProcessLocalFiles({}, context);
    expect(output).toMatchObject({ status: "partial_success", requested: 7, gathered: 4, failed: 3 });
    expect(output.failures.map(({ ref, kind, code }) => [ref, kind, code])).toEqual([
      ["missing.md", "document", "not_found"],
      ["big.pdf", "document", "too_large"],
      ["odd.md", "document", "internal"],
    ]);
    expect(context.submitted).toEqual([
      { capability: "ingest_repository", input: { ref: "src/", origin: "upload" } },
      { capability: "ingest_document", input: { path: "a/b.py" } },
      { capability: "ingest_document", input: { path: "a_b.py" } },
      { capability: "ingest_document", input: { path: "notes.ipynb" } },
    ]);
    expect(gatheredOf(context, "process_local_files").sources.map(({ ref }) => ref)).toEqual([
      "src/",
      "a/b.py",
      "a_b.py",
      "notes.ipynb",
    ]);
    expect(copies(context, ".nova/local_files_from_research/")).toEqual([
      ".nova/local_files_from_research/a_b.py-2.md",
      ".nova/local_files_from_research/a_b.py.md",
      ".nova/local_files_from_research/notes.md",
      ".nova/local_files_from_research/src.md",
    ]);
  });

  test("a file of an unusual kind is read where it was handed over, not where it is only mentioned", async () => {
    const makefile = testSource("Make file", "all: test", { kind: "document" });
    const context = new FakeStepContext(processLocalFiles, {
      stored: {
        [references]: {
          ...none,
          rejected: ["Make%20file", "LICENSE"].map((ref) => ({ ref, reason: "unsupported_file_type" })),
        },
        ".nova/uploads.json": {
          v: 1,
          entries: ["Make file", "other.md"].map((path) => ({ path, kind: "file", files: [path] })),
        },
        ...stored([makefile]),
      },
      children: childrenOf([makefile]),
    });
    await expect(handleProcessLocalFiles({}, context)).resolves.toMatchObject({ requested: 1, gathered: 1 });
    expect(context.submitted.map(({ input }) => input)).toEqual([{ path: "Make file" }]);
  });

  test("without uploads every path is a failure", async () => {
    const context = new FakeStepContext(processLocalFiles, {
      stored: { [references]: { ...none, local_file_paths: ["a.md", "src/"] } },
    });
    const output = await handleProcessLocalFiles({}, context);
    expect(output).toMatchObject({ status: "error", requested: 2, failed: 2 });
    expect(output.failures.map(({ kind }) => kind)).toEqual(["document", "folder"]);
  });
});

describe("process_github_urls", () => {
  test("digests GitHub and other repositories under owner_repo, variants apart", async () => {
    const refs = ["https://github.com/o/r", "https://github.com/o/r/tree/dev", "https://gitlab.com/g/s.git"];
    const sources = refs.map((ref) => testSource(ref, `Digest of ${ref}`, { kind: "repository" }));
    const context = new FakeStepContext(processGithubUrls, {
      stored: {
        [references]: { ...none, github_urls: refs.slice(0, 2), git_urls: refs.slice(2) },
        ...stored(sources),
      },
      children: childrenOf(sources),
    });
    await expect(handleProcessGithubUrls({}, context)).resolves.toMatchObject({
      status: "success",
      gathered: 3,
    });
    expect(context.submitted[2]?.input).toEqual({ ref: refs[2], origin: "url" });
    expect(copies(context, ".nova/urls_from_guidelines_code/")).toEqual([
      ".nova/urls_from_guidelines_code/g_s.md",
      ".nova/urls_from_guidelines_code/o_r.md",
      ".nova/urls_from_guidelines_code/o_r_dev.md",
    ]);
  });
});

describe("transcribe_youtube_urls", () => {
  test("without its provider every video is a failure that names the setting", async () => {
    const urls = ["dQw4w9WgXcQ&t=90s", "aaaaaaaaaaa"].map((id) => `https://www.youtube.com/watch?v=${id}`);
    const ingest = createIngestVideo({
      models: withoutModels,
      configured: new Set(),
      now: () => new Date(0),
    });
    const context = new FakeStepContext(transcribeYoutubeUrls, {
      stored: { [references]: { ...none, youtube_videos_urls: urls } },
      children: {
        ingest_video: (input) =>
          ingest(input, new FakeStepContext(ingestVideo)).then(
            () => expect.unreachable("it was ingested"),
            (error: unknown) => ({ error: toPublicError(toProofroomError(error)) }),
          ),
      },
    });
    await expect(handleTranscribeYoutubeUrls({}, context)).resolves.toMatchObject({
      status: "error",
      gathered: 0,
      failures: urls.map((ref) => ({
        ref,
        kind: "video",
        code: "not_configured",
        message: expect.stringContaining("GEMINI_API_KEY"),
      })),
    });
  });

  test("a transcript's copy is named by the video", async () => {
    const source = testSource("https://www.youtube.com/watch?v=dQw4w9WgXcQ", "[00:00] Hello", {
      kind: "video",
    });
    const context = new FakeStepContext(transcribeYoutubeUrls, {
      stored: { [references]: { ...none, youtube_videos_urls: [source.ref] }, ...stored([source]) },
      children: childrenOf([source]),
    });
    await handleTranscribeYoutubeUrls({}, context);
    expect(copies(context, ".nova/urls_from_guidelines_youtube_videos/")).toEqual([
      ".nova/urls_from_guidelines_youtube_videos/dQw4w9WgXcQ.md",
    ]);
  });
});

describe("scrape_research_urls", () => {
  test("reads one address a line, each once; other lines are failures", async () => {
    const source = testSource("https://x.dev/a", "Text.");
    const list = "# chosen\nhttps://x.dev/a\r\n- <https://x.dev/a>\n\n2. javascript:alert(1)\n";
    const context = new FakeStepContext(scrapeResearchUrls, {
      stored: { ".nova/urls_to_scrape_from_research.md": list, ...stored([source]) },
      children: childrenOf([source]),
    });
    const output = await handleScrapeResearchUrls({}, context);
    expect(output).toMatchObject({ status: "partial_success", requested: 2, gathered: 1 });
    expect(output.failures).toMatchObject([{ ref: "javascript:alert(1)", code: "invalid_input" }]);
    expect(copies(context, ".nova/urls_from_research/")).toHaveLength(1);
  });

  test("without a list nothing was asked", async () => {
    const context = new FakeStepContext(scrapeResearchUrls);
    await expect(handleScrapeResearchUrls({}, context)).resolves.toMatchObject({
      status: "success",
      requested: 0,
    });
  });
});
