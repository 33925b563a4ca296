import { type Answer, followPrompts, type Peer } from "@proofroom/testing";
import { describe, expect, it } from "vitest";
import { loadPrompts } from "../protocol/register-prompts.ts";
import { allTools } from "../tools/all-tools.ts";
import { toolsetNames } from "../toolsets.ts";

const run_id = `run_${"0".repeat(26)}`;
const tools = allTools(new Set(toolsetNames));
const texts = new Map(loadPrompts().map(({ name, text }) => [name, text.replaceAll("{{run_id}}", run_id)]));
const counts = { github_urls: 0, git_urls: 1, youtube_videos_urls: 1, other_urls: 1, local_file_paths: 1 };
const ids = ["one", "two"];

/** What each tool refuses to work without, and what it makes. What is made of an article goes with it. */
const work: Readonly<Record<string, { needs: string[]; makes: string[]; output?: Record<string, unknown> }>> =
  {
    extract_guidelines_urls: { needs: [], makes: ["references"], output: counts },
    process_local_files: { needs: ["references"], makes: ["files"], output: { failed: 0 } },
    scrape_and_clean_other_urls: { needs: ["references"], makes: ["pages"] },
    process_github_urls: { needs: ["references"], makes: ["repositories"] },
    transcribe_youtube_urls: { needs: ["references"], makes: ["videos"] },
    run_web_research: { needs: ["queries"], makes: ["found"] },
    create_research_file: { needs: ["files", "pages", "repositories", "videos"], makes: ["research"] },
    read_research_summary: { needs: ["research"], makes: [] },
    generate_article_outline: {
      needs: ["research"],
      makes: ["outline"],
      output: { sections: ids.map((section_id) => ({ section_id })) },
    },
    extract_and_validate_code: {
      needs: ["article"],
      makes: ["manifest"],
      output: { total_snippets: 1, invalid_syntax_count: 0 },
    },
    execute_sandbox_tests: { needs: ["manifest"], makes: ["results"] },
    fix_code_snippets: {
      needs: ["manifest", "results"],
      makes: ["article", "manifest", "results", "mended"],
    },
    verify_citations: { needs: ["article"], makes: ["citations"] },
    critic_evaluate_article: { needs: ["manifest", "results", "mended", "citations"], makes: ["critique"] },
    get_run: { needs: [], makes: [] },
  };
const ofArticle = ["manifest", "results", "mended", "citations", "critique"];

/** A server that serves the prompts given, and tools that refuse what comes before its time. */
function server(prompts: ReadonlyMap<string, string>, options: { approves?: boolean } = {}) {
  const { approves = true } = options;
  const there = new Set<string>();
  const calls: [tool: string, args: Record<string, unknown>][] = [];
  const answer = (output: Record<string, unknown> = {}): Answer => ({
    content: [],
    structuredContent: { output },
  });
  const failed = (text: string): Answer => ({ isError: true, content: [{ type: "text", text }] });

  function make(makes: readonly string[]): void {
    if (makes.includes("article")) for (const name of ofArticle) there.delete(name);
    for (const name of makes) there.add(name);
  }

  function answerTo(tool: string, args: Record<string, unknown>): Answer {
    const { round, section_id, kind } = args;
    const lacks = (needs: readonly string[]) => needs.find((name) => !there.has(name));
    if (tool === "put_artifact") {
      make([kind === "queries" ? "queries" : `section ${section_id}`]);
      return answer();
    }
    if (tool === "export_publication_bundle") {
      if (lacks(["critique"]) !== undefined) return failed("nothing was evaluated");
      if (!approves && args["allow_draft"] !== true) return failed("it was not approved");
      make(["page"]);
      return answer({ status: approves ? "approved" : "draft" });
    }
    if (tool === "draft_article_section" || tool === "refine_and_save_article") {
      const drafts = tool === "draft_article_section";
      const lack = lacks(
        drafts ? ["outline"] : round === 0 ? ids.map((id) => `section ${id}`) : ["critique"],
      );
      if (lack !== undefined) return failed(`${tool} needs ${lack}`);
      make([drafts ? `section ${section_id}` : "article"]);
      return answer({ changed: true });
    }
    const { needs = [], makes = [], output } = work[tool] ?? {};
    const lack = lacks(needs);
    if (lack !== undefined) return failed(`${tool} needs ${lack}`);
    make(makes);
    if (tool === "execute_sandbox_tests") return answer({ failed: 1 });
    return answer(
      tool === "critic_evaluate_article"
        ? { status: round === 2 && approves ? "APPROVED" : "REVISE" }
        : output,
    );
  }

  const peer: Peer = {
    async call(tool, args) {
      const declared = tools.find(({ name }) => name === tool);
      if (declared?.input.safeParse(args).success !== true)
        throw new Error(`${tool} does not take ${JSON.stringify(args)}`);
      calls.push([tool, args]);
      return answerTo(tool, args);
    },
    prompt: async (name) => prompts.get(name) ?? "",
    read: async () => "",
    tools: async () => tools.map(({ name }) => name),
    close: async () => undefined,
  };
  return { peer, calls, there };
}

const own = { queries: [{ question: "Why?", reason: "It is open." }] };

describe("an agent that follows the prompts", () => {
  it("comes to a page, and stops once the critic approves", async () => {
    const { peer, calls, there } = server(texts);
    await followPrompts(peer, { run_id });
    expect(there).toContain("page");
    const rounds = calls
      .filter(([tool]) => tool === "refine_and_save_article")
      .map(([, args]) => args["round"]);
    expect(rounds).toEqual([0, 1, 2]);
    expect(calls.map(([tool]) => tool)).not.toContain("run_web_research");
  });

  it("puts what it writes itself, and has its own queries searched once they are kept", async () => {
    const { peer, calls } = server(texts);
    await followPrompts(peer, { run_id }, { ...own, sections: { two: "Mine [S1]." } });
    const of = (name: string) => calls.filter(([tool]) => tool === name).map(([, args]) => args);
    expect(of("put_artifact")).toEqual([
      { run_id, kind: "queries", queries: own.queries },
      { run_id, kind: "section", section_id: "two", text: "Mine [S1]." },
    ]);
    expect(of("run_web_research")).toEqual([{ run_id, queries: ["Why?"] }]);
    expect(of("draft_article_section")).toEqual([{ run_id, section_id: "one" }]);
  });

  it("publishes a draft where its user takes one, and else nothing", async () => {
    const draft = server(texts, { approves: false });
    await followPrompts(draft.peer, { run_id }, { ...own, takesDraft: true });
    expect(draft.there).toContain("page");
    const exports = draft.calls.filter(([tool]) => tool === "export_publication_bundle");
    expect(exports.map(([, args]) => args)).toEqual([{ run_id }, { run_id, allow_draft: true }]);
    const refused = server(texts, { approves: false });
    await expect(followPrompts(refused.peer, { run_id })).rejects.toThrow("it was not approved");
    expect(refused.there).not.toContain("page");
  });
});

/** The same text with each two neighbouring steps of its lists in each other's place, one after the other. */
function* swapped(text: string): Generator<[which: string, text: string]> {
  const lines = text.split("\n");
  for (const [at, line] of lines.entries()) {
    const [, first, one] = /^(\d+)\. (.*)$/.exec(line) ?? [];
    const [, second, other] = /^(\d+)\. (.*)$/.exec(lines[at + 1] ?? "") ?? [];
    if (one === undefined || other === undefined) continue;
    const changed = lines.with(at, `${first}. ${other}`).with(at + 1, `${second}. ${one}`);
    const toolOf = (step: string) => /all `(\w+)`/.exec(step)?.[1] ?? "evaluate";
    yield [`${toolOf(one)}, ${toolOf(other)}`, changed.join("\n")];
  }
}

/** Neighbours of which neither needs the other. */
const independent = [
  "process_local_files, scrape_and_clean_other_urls",
  "scrape_and_clean_other_urls, process_github_urls",
  "process_github_urls, transcribe_youtube_urls",
  "transcribe_youtube_urls, put_artifact",
  // What is found must stand before research.md is made, which this server does not ask for.
  "run_web_research, create_research_file",
];

describe("a prompt whose steps are in another order", () => {
  const cases = [...texts].flatMap(([name, text]) =>
    [...swapped(text)].map(([which, changed]) => ({ name, which, changed })),
  );

  it.each(cases.filter(({ which }) => !independent.includes(which)))(
    "leads to no page: $which",
    async ({ name, changed }) => {
      const { peer, there } = server(new Map(texts).set(name, changed), { approves: false });
      const session = followPrompts(peer, { run_id }, { ...own, takesDraft: true });
      await expect(session.then(() => [...there].includes("page"))).rejects.toThrow();
    },
  );

  it("is every one of them", () => {
    expect(cases.map(({ which }) => which)).toEqual(expect.arrayContaining(independent));
    expect(cases.length - independent.length).toBeGreaterThan(12);
  });
});
