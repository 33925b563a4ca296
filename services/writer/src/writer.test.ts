import { verifyArticle } from "@proofroom/evidence";
import { wordCount } from "@proofroom/markdown";
import { describe, expect, it } from "vitest";
import { splitArticle } from "./refine/article-parts.ts";
import { sha256 } from "./refine/article-text.ts";
import { queueDocuments, testRun } from "./testing/test-run.ts";

const guideline = `# Reliable message queues

## Section 1: Delivery guarantees
- At-least-once delivery
- Visibility timeout

## Section 2: Retrying failed jobs
- Exponential backoff, with a code example
- Dead letter queue

## Section 3: Idempotent workers
- Idempotency keys
- Conditional writes
`;

async function writtenRun(order: (ids: string[]) => string[] = (ids) => ids) {
  const run = testRun(queueDocuments(), { "article_guideline.md": guideline });
  const outline = await run.handlers.generate_article_outline({}, run.context);
  const ids = order(outline.sections.map(({ section_id }) => section_id));
  const drafts = await Promise.all(
    ids.map((section_id) => run.handlers.draft_article_section({ section_id }, run.context)),
  );
  const assembled = await run.handlers.refine_and_save_article({ round: 0 }, run.context);
  return { ...run, outline, drafts, assembled, article: run.files.get("article.md") ?? "" };
}

describe("the writer without a model", () => {
  it("summarises what was gathered", async () => {
    const run = testRun(queueDocuments(), { "article_guideline.md": guideline });
    const summary = await run.handlers.read_research_summary({}, run.context);
    expect(summary).toMatchObject({ title: "Reliable message queues", failures: 0 });
    expect(summary.sections).toEqual(["Delivery guarantees", "Retrying failed jobs", "Idempotent workers"]);
    expect(summary.sources.map(({ id }) => id)).toEqual(["S1", "S2", "S3", "S4"]);
    expect(run.writes).toEqual([]);
  });

  it("writes an article in which every sentence is supported by what it cites", async () => {
    const { article, index, sources } = await writtenRun();
    const byId = new Map(index.sources.map(({ id, artifact }) => [id, sources.get(artifact)]));
    const report = await verifyArticle({ article, index, corpus: byId as Map<string, never> });
    expect(report.summary.cited).toBeGreaterThan(12);
    expect(report.summary).toMatchObject({ supported: report.summary.cited, uncited: 0 });
  });

  it("lays the article out and says on its face how it was made", async () => {
    const { article, assembled } = await writtenRun();
    expect(splitArticle(article).map(({ kind, heading }) => heading || kind)).toEqual([
      "front",
      "Executive Summary",
      "Table of Contents",
      "Delivery guarantees",
      "Retrying failed jobs",
      "Idempotent workers",
      "References",
    ]);
    expect(article).toMatch(
      /^# Reliable message queues\n\nBased on 4 gathered sources\n\n> \[!NOTE\]\n> This article is extractive/,
    );
    expect(article).toContain("- [Retrying failed jobs](#retrying-failed-jobs)\n");
    expect(article).toContain("`notes/retries.md`");
    expect(article).not.toMatch(/\[S\d|run_|garden|Subscribe|\| ?---/);
    expect(assembled).toMatchObject({ sections: 3, references: 3, changed: true, written_by: "extractive" });
    expect(assembled.words).toBe(wordCount(article));
    expect(assembled.article_sha256).toBe(sha256(article));
  });

  it("reports true counts of each section", async () => {
    const { drafts, files } = await writtenRun();
    for (const draft of drafts) {
      const text = files.get(draft.artifact) ?? "";
      expect(draft.words).toBe(wordCount(text));
      expect(draft.words).toBeLessThanOrEqual(200);
      expect(draft.citations).toBe(text.match(/\[S\d+\]/g)?.length);
      expect(new Set(draft.sources)).toEqual(new Set(text.match(/S\d+(?=\])/g)));
      expect(draft.code_blocks).toBe((text.match(/^```/gm)?.length ?? 0) / 2);
    }
  });

  it("writes the same article whatever order sections are drafted in", async () => {
    const first = await writtenRun();
    const second = await writtenRun((ids) => ids.toReversed());
    expect(second.article).toBe(first.article);
    expect(second.files.get(".nova/article_outline.json")).toBe(
      first.files.get(".nova/article_outline.json"),
    );
  });

  it("changes nothing, not a byte, where there is nothing to revise", async () => {
    const run = await writtenRun();
    const before = run.writes.length;
    const again = await run.handlers.refine_and_save_article({ round: 1 }, run.context);
    expect(again).toMatchObject({ changed: false, revisions_applied: 0, revisions_open: 0 });
    expect(run.files.get("article.md")).toBe(run.article);
    expect(run.writes.length).toBe(before);
  });

  it("tells a caller's feedback as open where it only puts the article together", async () => {
    const run = await writtenRun();
    const input = { round: 0, critic_feedback: ["Be funnier."] };
    const assembled = await run.handlers.refine_and_save_article(input, run.context);
    expect(assembled).toMatchObject({ revisions_open: 1, feedback_open: ["Be funnier."] });
  });

  it("finds a section by its title, and refuses one that is not in the outline", async () => {
    const run = await writtenRun();
    const draft = await run.handlers.draft_article_section(
      { section_title: "idempotent WORKERS" },
      run.context,
    );
    expect(draft.section_id).toBe("section_3");
    const unknown = run.handlers.draft_article_section({ section_id: "section_9" }, run.context);
    await expect(unknown).rejects.toMatchObject({ code: "not_found" });
    await expect(run.handlers.draft_article_section({}, run.context)).rejects.toMatchObject({
      code: "invalid_input",
    });
  });

  it("follows a caller's own key points without taking what other sections hold", async () => {
    const run = await writtenRun();
    await run.handlers.draft_article_section(
      { section_id: "section_1", key_points: ["Heartbeat for long jobs", "Exponential backoff"] },
      run.context,
    );
    const own = run.files.get(".nova/sections/section_1.md") ?? "";
    expect(own).toContain("heartbeat");
    expect(own).not.toContain("Exponential backoff doubles");
  });

  it("refuses to assemble a section that cites what is not there", async () => {
    const run = await writtenRun();
    run.put(".nova/sections/section_1.md", "## Delivery guarantees\n\nInvented. [S77]\n");
    const refused = run.handlers.refine_and_save_article({ round: 0 }, run.context);
    await expect(refused).rejects.toMatchObject({ code: "invalid_input" });
    expect(run.files.get("article.md")).toBe(run.article);
  });

  it("drafts what is missing when it assembles", async () => {
    const run = await writtenRun();
    run.files.delete(".nova/sections/section_2.md");
    await run.handlers.refine_and_save_article({ round: 0 }, run.context);
    expect(run.files.get("article.md")).toBe(run.article);
  });

  it("gives a rewritten draft its heading back and takes titles for what they are", async () => {
    const run = await writtenRun();
    const outline = JSON.parse(run.files.get(".nova/article_outline.json") ?? "");
    outline.title = "Queues in C# & <T> `x` [S1]";
    outline.sections[0].title = "*Delivery* [S2] <b>";
    outline.sections[2].title = "Executive Summary";
    run.put(".nova/article_outline.json", outline);
    run.put(".nova/sections/section_1.md", "A person wrote this.\n");
    run.files.delete(".nova/sections/section_3.md");
    await run.handlers.refine_and_save_article({ round: 0 }, run.context);
    const article = run.files.get("article.md") ?? "";
    const headings = splitArticle(article).map(({ heading }) => heading);
    expect(headings).toEqual([
      "",
      "Table of Contents",
      "*Delivery* [S2] <b>",
      "Retrying failed jobs",
      "Executive Summary",
      "References",
    ]);
    expect(article).toContain("A person wrote this.");
    const again = await run.handlers.refine_and_save_article({ round: 1 }, run.context);
    expect(again.changed).toBe(false);
  });
});
