import { capabilitiesOf, findCapability, toProofroomError, toPublicError } from "@proofroom/contracts";
import { afterAll, describe, expect, test, vi } from "vitest";
import { FakeStepContext } from "./capabilities/fake-step-context.ts";
import { createResearchHandlers, openParsePool } from "./index.ts";

vi.mock("node:dns", async (original) => ({
  ...(await original<typeof import("node:dns")>()),
  lookup(_name: string, _options: object, callback: (error: Error) => void) {
    callback(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }));
  },
}));

const parsing = openParsePool();
afterAll(() => parsing.close());

const handlers = createResearchHandlers({
  configured: new Set(["TAVILY_API_KEY"]),
  allowHosts: new Set(),
  tempRoot: "/nonexistent",
  parsing,
  now: () => new Date(0),
});

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
    ["generate_next_queries", "GEMINI_API_KEY"],
    ["run_web_research", "TAVILY_API_KEY"],
    ["run_perplexity_research", "PERPLEXITY_API_KEY"],
    ["select_research_sources_to_keep", "GEMINI_API_KEY"],
    ["select_research_sources_to_scrape", "GEMINI_API_KEY"],
  ] as const)("%s names the setting that enables it", async (name, setting) => {
    const capability = findCapability(name);
    if (capability === undefined) throw new Error(name);
    const handler = handlers[name] as (input: object, context: FakeStepContext) => Promise<unknown>;
    await expect(handler({}, new FakeStepContext(capability))).rejects.toMatchObject({
      code: "not_configured",
      message: expect.stringContaining(setting),
      disposition: { kind: "fail" },
    });
  });

  test("does not tell people to set what is set where it has no provider", async () => {
    const capability = findCapability("run_web_research");
    if (capability === undefined) throw new Error("run_web_research");
    const search = handlers.run_web_research({ queries: ["q"] }, new FakeStepContext(capability));
    await expect(search).rejects.toMatchObject({ message: expect.stringContaining("no provider") });
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
