import { capabilitiesOf, findCapability, toProofroomError, toPublicError } from "@proofroom/contracts";
import { uncountedCalls, withoutModels } from "@proofroom/testing";
import { afterAll, describe, expect, test, vi } from "vitest";
import { FakeStepContext } from "./capabilities/fake-step-context.ts";
import { createResearchHandlers, openParsePool, type ResearchDeps } from "./index.ts";
import { openPageBrowser } from "./ingest/browser/page-browser.ts";
import { withoutPageCache } from "./ingest/page-cache/page-cache.ts";

vi.mock("node:dns", async (original) => ({
  ...(await original<typeof import("node:dns")>()),
  lookup(_name: string, _options: object, callback: (error: Error) => void) {
    callback(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }));
  },
}));

const parsing = openParsePool();
afterAll(() => parsing.close());

const deps: ResearchDeps = {
  configured: new Set(),
  models: withoutModels,
  calls: uncountedCalls,
  allowHosts: new Set(),
  git: { hosts: [], access: [] },
  tempRoot: "/nonexistent",
  parsing,
  pageCache: withoutPageCache,
  search: {
    tavily: { apiKey: undefined, baseUrl: "https://tavily.invalid" },
    searxng: { baseUrl: undefined },
    perplexity: { apiKey: undefined, baseUrl: "https://perplexity.invalid" },
    arxiv: { baseUrl: "https://arxiv.invalid" },
    wikipedia: { baseUrl: "https://wikipedia.invalid", language: undefined },
  },
  browser: openPageBrowser({ chromium: { given: "off", searchPath: "" }, tempRoot: "/nonexistent" }),
  web: {
    firecrawl: undefined,
    timeoutMs: 5_000,
    robots: true,
    chromium: { given: "off", searchPath: "" },
    sitePages: 20,
  },
  now: () => new Date(0),
};
const handlers = createResearchHandlers(deps);

describe("the research service", () => {
  test("serves all capabilities that it owns", () => {
    expect(Object.keys(handlers).sort()).toEqual(
      capabilitiesOf("research")
        .map(({ name }) => name)
        .sort(),
    );
  });

  test.each([
    ["ingest_video", "GEMINI_API_KEY"],
    ["run_web_research", "TAVILY_API_KEY"],
    ["run_perplexity_research", "PERPLEXITY_API_KEY"],
  ] as const)("%s names the setting that enables it", async (name, setting) => {
    const capability = findCapability(name);
    if (capability === undefined) throw new Error(name);
    const handler = handlers[name] as (input: object, context: FakeStepContext) => Promise<unknown>;
    await expect(
      handler({ queries: ["q"], url: "https://youtu.be/dQw4w9WgXcQ" }, new FakeStepContext(capability)),
    ).rejects.toMatchObject({
      code: "not_configured",
      message: expect.stringContaining(setting),
      disposition: { kind: "fail" },
    });
  });

  test("does not tell people to set what is set where no model watches videos", async () => {
    const capability = findCapability("ingest_video");
    if (capability === undefined) throw new Error("ingest_video");
    const { ingest_video: ingest } = createResearchHandlers({
      ...deps,
      configured: new Set(["GEMINI_API_KEY"]),
    });
    const work = ingest({ url: "https://youtu.be/dQw4w9WgXcQ" }, new FakeStepContext(capability));
    await expect(work).rejects.toMatchObject({ message: expect.stringContaining("no provider") });
  });

  test("goes from a guideline to research.md, with what failed listed and nothing of it as evidence", async () => {
    const stored = new Map([
      [
        "article_guideline.md",
        "# Retries\n\n- `notes.md`\n- `gone.md`\n- <http://10.0.0.1/page>\n- <https://x.invalid/page>\n",
      ],
      [".nova/uploads/notes.md", "# Notes\n\nA client that repeats at once makes an outage worse.\n"],
      [
        ".nova/uploads.json",
        JSON.stringify({ v: 1, entries: [{ path: "notes.md", kind: "file", files: ["notes.md"] }] }),
      ],
    ]);
    const run = async (name: keyof typeof handlers, input: object, stepId: string = name) => {
      const capability = findCapability(name);
      if (capability === undefined) throw new Error(name);
      const handler = handlers[name] as (input: object, context: FakeStepContext) => Promise<object>;
      return handler(input, new FakeStepContext(capability, { stored, children, stepId }));
    };
    const child = (name: keyof typeof handlers) => async (input: object) => {
      try {
        return { output: await run(name, input, `${name}-0123456789abcdef`) };
      } catch (error) {
        return { error: toPublicError(toProofroomError(error)) };
      }
    };
    const children = { ingest_document: child("ingest_document"), ingest_web_page: child("ingest_web_page") };

    await expect(run("extract_guidelines_urls", {})).resolves.toMatchObject({
      local_file_paths: 2,
      other_urls: 1,
      rejected: [{ reason: "private_address" }],
    });
    await expect(run("process_local_files", {})).resolves.toMatchObject({
      status: "partial_success",
      gathered: 1,
    });
    await expect(run("scrape_and_clean_other_urls", {})).resolves.toMatchObject({
      status: "error",
      failures: [{ ref: "https://x.invalid/page", code: "unreachable" }],
    });
    await expect(run("create_research_file", {})).resolves.toMatchObject({ sources: 1, failures: 3 });
    expect(stored.get("research.md")).toContain("> A client that repeats at once makes an outage worse.");
  });
});
