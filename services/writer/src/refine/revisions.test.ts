import {
  type CitationReport,
  type Critique,
  type RequiredRevision,
  refineAndSaveArticle,
} from "@proofroom/contracts";
import { verifyArticle } from "@proofroom/evidence";
import { wordCount } from "@proofroom/markdown";
import { describe, expect, it } from "vitest";
import { outlineOf, queueDocuments, testRun } from "../testing/test-run.ts";
import { splitArticle } from "./article-parts.ts";
import { sha256 } from "./article-text.ts";

const outline = outlineOf([
  { title: "Delivery guarantees", key_points: ["At-least-once delivery", "Visibility timeout"] },
  {
    title: "Retrying failed jobs",
    key_points: ["Exponential backoff", "Dead letter queue"],
    include_code: true,
  },
  { title: "Idempotent workers", key_points: ["Idempotency keys", "Conditional writes"] },
]);

const backoff = "Exponential backoff doubles the delay after each failed attempt.";
const leaning = "It keeps a struggling server from being flooded by its own clients.";

function critiqueOf(article: string, revisions: Partial<RequiredRevision>[]): Critique {
  return {
    overall_score: 50,
    status: "REVISE",
    category_scores: { technical_depth: 10, code_quality: 10, structure_clarity: 10, citation_fidelity: 10 },
    specific_critiques: [],
    required_revisions: revisions.map((revision) => ({
      section: "section_2",
      kind: "unsupported_citation",
      blocking: true,
      instruction: "Mend it.",
      ...revision,
    })),
    measurements: {
      words: 0,
      sections: [],
      distinct_sources: 0,
      sources_available: 0,
      citations: {
        sentences: 0,
        cited: 0,
        supported: 0,
        uncertain: 0,
        unsupported: 0,
        unresolved: 0,
        uncited: 0,
      },
      code: { blocks: 0, passed: 0, failed: 0, skipped: 0, not_run: 0, invalid_syntax: 0 },
      repeated_sentences: 0,
    },
    article_sha256: sha256(article),
    judged_by: "measurements",
  };
}

async function assembled(sections = outline) {
  const run = testRun(queueDocuments(), { ".nova/article_outline.json": sections });
  for (const { section_id } of sections.sections) {
    await run.handlers.draft_article_section({ section_id }, run.context);
  }
  await run.handlers.refine_and_save_article({ round: 0 }, run.context);
  return { ...run, article: run.files.get("article.md") ?? "" };
}

type Run = Awaited<ReturnType<typeof assembled>>;

/** Refines `article` (which a person may have changed) under the given revisions. */
async function refined(run: Run, revisions: Partial<RequiredRevision>[], article = run.article) {
  run.put("article.md", article);
  run.put(".nova/critic_evaluation.json", critiqueOf(article, revisions));
  const output = await run.handlers.refine_and_save_article({ round: 1 }, run.context);
  return { output, text: run.files.get("article.md") ?? "" };
}

const sectionOf = (article: string, heading: string) =>
  splitArticle(article).find((part) => part.heading === heading)?.markdown ?? "";

function verdicts(run: Run, article: string): Promise<CitationReport> {
  const byId = new Map(run.index.sources.map(({ id, artifact }) => [id, run.sources.get(artifact)]));
  return verifyArticle({ article, index: run.index, corpus: byId as Map<string, never> });
}

describe("refinement", () => {
  it("drops an unsupported sentence with what leans on it, and touches no other section", async () => {
    const run = await assembled();
    expect(run.article).toContain(`${backoff} [`);
    const { output, text } = await refined(run, [{ target: backoff }]);
    expect(output).toMatchObject({ revisions_applied: 1, revisions_open: 0, changed: true });
    expect(output.article_sha256).toBe(sha256(text));
    expect(text).not.toContain(backoff);
    expect(text).not.toContain(leaning);
    for (const heading of ["Delivery guarantees", "Idempotent workers", "Executive Summary", "References"]) {
      expect(sectionOf(text, heading)).toBe(sectionOf(run.article, heading));
    }
  });

  it("works off the citation report where the critique is silent", async () => {
    const run = await assembled();
    const report = await await verdicts(run, run.article);
    const bad = report.citations.find(({ sentence }) => sentence === backoff);
    if (bad !== undefined) bad.verdict = "unsupported";
    run.put(".nova/citations.json", report);
    const { output, text } = await refined(run, []);
    expect(output).toMatchObject({ revisions_applied: 1, changed: true });
    expect(text).not.toContain(backoff);
  });

  it("numbers anew and drops references that nothing cites any longer", async () => {
    const run = await assembled();
    const gone = run.article.match(/^\S.*idempotency\.md`$/m)?.[0] ?? "";
    const number = Number.parseInt(gone, 10);
    const citing = (await await verdicts(run, run.article)).citations.filter(({ numbers }) =>
      numbers.includes(number),
    );
    const { text } = await refined(
      run,
      citing.map(({ sentence }) => ({ target: sentence })),
    );
    expect(sectionOf(text, "Idempotent workers")).toBe(
      "## Idempotent workers\n\nThe gathered sources say nothing about Idempotent workers.\n\n",
    );
    expect(text).not.toContain("idempotency.md");
    expect((await await verdicts(run, text)).summary).toMatchObject({ unresolved: 0, unsupported: 0 });
  });

  it("keeps a person's own sentence unless the revision blocks approval", async () => {
    const run = await assembled();
    const own = "My team retried everything by hand in those days.";
    const edited = run.article.replace("## Idempotent workers\n", `## Idempotent workers\n\n${own}\n`);
    const mild = await refined(run, [{ kind: "uncited_claim", blocking: false, target: own }], edited);
    expect(mild.output).toMatchObject({ revisions_applied: 0, revisions_open: 1, changed: false });
    expect(mild.text).toBe(edited);
    const hard = await refined(run, [{ kind: "uncited_claim", blocking: true, target: own }], edited);
    expect(hard.output).toMatchObject({ revisions_applied: 1, revisions_open: 0 });
    expect(hard.text).toBe(run.article);
  });

  it("tells which sentences of a person had to go, ten at most, and of each what can be read at a glance", async () => {
    const run = await assembled();
    const own = Array.from(
      { length: 12 },
      (_, at) => `Herons number ${at} ${"slowly ".repeat(40)}mend the queue.`,
    );
    const edited = run.article.replace(
      "## Idempotent workers\n",
      `## Idempotent workers\n\n${own.map((sentence) => `${sentence} [1]`).join(" ")}\n`,
    );
    run.persons.add("article.md");
    const { output, text } = await refined(
      run,
      [backoff, ...own].map((target) => ({ target })),
      edited,
    );
    expect(text).not.toContain("Herons");
    expect(text).not.toContain(backoff);
    expect(output.removed).toEqual(own.slice(0, 10).map((sentence) => `${sentence.slice(0, 199)}…`));
    expect(refineAndSaveArticle.output.parse(output)).toEqual(output);
  });

  it("counts no sentence of a draft as a person's, nor any where no person wrote", async () => {
    const run = await assembled();
    const modelled = "A model once put it in words that no source has.";
    const section = run.files.get(".nova/sections/section_3.md") ?? "";
    run.put(".nova/sections/section_3.md", `${section.trimEnd()}\n\n${modelled} [S1]\n`);
    const article = run.article.replace("## References", `${modelled} [1]\n\n## References`);
    const alone = await refined(run, [{ target: modelled }], article);
    expect(alone.text).not.toContain(modelled);
    expect(alone.output).not.toHaveProperty("removed");
    run.persons.add("article.md");
    expect((await refined(run, [{ target: modelled }], article)).output).not.toHaveProperty("removed");
    run.persons.add(".nova/sections/section_3.md");
    expect((await refined(run, [{ target: modelled }], article)).output.removed).toEqual([modelled]);
  });

  it.each(["article.md", ".nova/sections/section_2.md"])(
    "claims nothing to be word for word once a person has edited %s",
    async (name) => {
      const run = await assembled();
      expect(run.article).toContain("taken word for word");
      run.persons.add(name);
      for (const again of [
        () => refined(run, []),
        () => run.handlers.refine_and_save_article({ round: 0 }, run.context),
      ]) {
        run.put("article.md", run.article);
        await again();
        const text = run.files.get("article.md") ?? "";
        expect(text).not.toContain("word for word");
        expect(text).toMatch(/^> This article was assembled .* a person has edited it\.$/m);
        const report = await verdicts(run, text);
        expect(report.uncited).toEqual((await verdicts(run, run.article)).uncited);
      }
      expect((await refined(run, [], run.files.get("article.md"))).output.changed).toBe(false);
    },
  );

  it("brings a section within its budget and keeps its key points and a person's text", async () => {
    const own = "We once lost a whole weekend of orders to this.";
    const run = await assembled();
    const tight = structuredClone(outline);
    for (const section of tight.sections)
      if (section.section_id === "section_2") section.target_word_count = 50;
    run.put(".nova/article_outline.json", tight);
    const edited = run.article.replace(backoff, `${own} ${backoff}`);
    const { output, text } = await refined(run, [{ kind: "over_budget", blocking: false }], edited);
    const section = sectionOf(text, "Retrying failed jobs");
    expect(output).toMatchObject({ revisions_applied: 1, changed: true });
    expect(wordCount(section)).toBeLessThanOrEqual(50);
    expect(section).toContain(own);
    expect(section).toContain(backoff);
    expect(section).toContain("dead letter queue");
    expect(sectionOf(text, "Idempotent workers")).toBe(sectionOf(run.article, "Idempotent workers"));
  });

  it("adds unused evidence for a key point that is missing, and nothing that stands there already", async () => {
    const run = await assembled();
    const cited = (sentence: string) => new RegExp(` ?${sentence.replace(".", "\\.")} \\[\\d\\]`, "g");
    const emptied = run.article.replace(cited(backoff), "").replace(cited(leaning), "");
    expect(emptied).not.toContain(backoff);
    const { output, text } = await refined(
      run,
      [{ kind: "missing_key_point", blocking: false, target: "Exponential backoff" }],
      emptied,
    );
    expect(output).toMatchObject({ revisions_applied: 1, changed: true });
    expect(sectionOf(text, "Retrying failed jobs")).toContain(backoff);
    const said = (await await verdicts(run, text)).citations.map(({ sentence }) => sentence);
    expect(new Set(said).size).toBe(said.length);
    expect((await await verdicts(run, text)).summary).toMatchObject({
      uncited: 0,
      unsupported: 0,
      unresolved: 0,
    });
  });

  it("restores a missing section at its place, from its draft or from the evidence", async () => {
    for (const keepDraft of [true, false]) {
      const run = await assembled();
      const lost = run.article.replace(sectionOf(run.article, "Retrying failed jobs"), "");
      if (!keepDraft) run.files.delete(".nova/sections/section_2.md");
      const { output, text } = await refined(run, [{ kind: "missing_section" }], lost);
      expect(output).toMatchObject({ revisions_applied: 1, sections: 3 });
      expect(splitArticle(text).map(({ heading }) => heading)).toEqual(
        splitArticle(run.article).map(({ heading }) => heading),
      );
      expect(sectionOf(text, "Retrying failed jobs")).toContain(backoff);
      expect(text).toContain("- [Retrying failed jobs](#retrying-failed-jobs)");
    }
  });

  it("of a repeated sentence keeps the first", async () => {
    const run = await assembled();
    const twice = run.article.replace("## References", `${backoff} [2]\n\n## References`);
    const { text } = await refined(run, [{ kind: "repeated_text", blocking: false, target: backoff }], twice);
    expect(text.split(backoff).length).toBe(2);
    expect(sectionOf(text, "Retrying failed jobs")).toContain(backoff);
  });

  it("keeps code as it stands in the article, repaired or not, and drops only what still fails", async () => {
    const run = await assembled();
    const repaired = run.article.replace("random.seed(1)", "random.seed(42)");
    expect(repaired).not.toBe(run.article);
    const kept = await refined(run, [{ target: backoff }], repaired);
    expect(kept.text).toContain("random.seed(42)");
    const dropped = await refined(run, [{ kind: "failing_code", target: "snippet_1" }], repaired);
    expect(dropped.output).toMatchObject({ revisions_applied: 1 });
    expect(dropped.text).not.toContain("```");
    expect(dropped.text).not.toMatch(/^From /m);
  });

  it("does not trust the snippet numbers of a critique of another version", async () => {
    const run = await assembled();
    run.put(
      ".nova/critic_evaluation.json",
      critiqueOf("another", [{ kind: "failing_code", target: "snippet_1" }]),
    );
    const output = await run.handlers.refine_and_save_article({ round: 1 }, run.context);
    expect(output).toMatchObject({ changed: false, revisions_open: 1 });
  });

  it("leaves open what code cannot do", async () => {
    const run = await assembled();
    const { output } = await refined(run, [
      { kind: "editorial", blocking: false, target: backoff },
      { kind: "code_not_run", blocking: false, target: "snippet_1" },
      { target: "A sentence that stands nowhere in the article." },
    ]);
    expect(output).toMatchObject({ changed: false, revisions_applied: 0, revisions_open: 3 });
  });

  it("leaves numbers alone that stand for sources it does not have", async () => {
    const run = await assembled();
    const foreign = run.article
      .replace("## Idempotent workers\n", "## Idempotent workers\n\nA book says so. [9]\n")
      .replace(/\n$/, "\n9. [A book](https://books.example/x)\n");
    const { output, text } = await refined(run, [{ target: backoff }], foreign);
    expect(output).toMatchObject({ revisions_applied: 1, changed: true });
    expect(text).toContain("A book says so. [9]");
    expect(text).toContain("9. [A book](https://books.example/x)");
    expect(text).not.toContain(backoff);
  });

  it("keeps the contents true to the headings of a hand-edited article", async () => {
    const run = await assembled();
    const edited = run.article.replace("## References", "## What is next\n\nMore to come.\n\n## References");
    const { text } = await refined(run, [], edited);
    expect(text).toContain("- [What is next](#what-is-next)\n");
    expect(text.replace("- [What is next](#what-is-next)\n", "")).toBe(edited);
  });

  it("never ends in the middle of a sentence, whatever is taken out", async () => {
    const run = await assembled();
    const sentences = (await await verdicts(run, run.article)).citations.map(({ sentence }) => sentence);
    for (const offset of [0, 1, 2]) {
      const gone = sentences.filter((_sentence, at) => at % 3 === offset);
      const { text } = await refined(
        run,
        gone.map((target) => ({ target })),
      );
      for (const paragraph of text.split("## References")[0]?.split("\n\n") ?? []) {
        if (/^[A-Z]/.test(paragraph) && !paragraph.startsWith("From ") && !paragraph.startsWith("Based on")) {
          expect(paragraph).toMatch(/(?:\[\d+\]|\.)$/);
        }
      }
    }
  });

  it("drops a summary that has lost its last sentence", async () => {
    const run = await assembled();
    const summary = (await await verdicts(run, run.article)).citations.filter(
      ({ section }) => section === "Executive Summary",
    );
    expect(summary.length).toBeGreaterThan(1);
    const { text } = await refined(
      run,
      summary.map(({ sentence }) => ({ target: sentence })),
    );
    expect(text).not.toContain("Executive Summary");
    expect(text).toContain("\n\n## Table of Contents\n\n- [Delivery guarantees]");
  });

  it("counts each key point by itself, and does not bring back what was taken out", async () => {
    const run = await assembled();
    const { output, text } = await refined(run, [
      { target: backoff },
      { kind: "missing_key_point", blocking: false, target: "Exponential backoff" },
      { kind: "missing_key_point", blocking: false, target: "Something else" },
    ]);
    expect(text).not.toContain(backoff);
    expect(output).toMatchObject({ revisions_applied: 1, revisions_open: 2 });
  });

  it("takes the fragment off a section that breaks off, and gives a lost title back", async () => {
    const run = await assembled();
    const cut = run.article
      .replace("# Reliable message queues\n\n", "")
      .replace("\n\n## References", " The last words are\n\n## References");
    const { output, text } = await refined(
      run,
      [
        { section: "section_2", kind: "structure", instruction: "Complete the section, which breaks off." },
        { section: "section_3", kind: "structure", instruction: "Complete the section, which breaks off." },
        { kind: "structure", section: "article", blocking: false, instruction: "Begin with its title." },
      ],
      cut,
    );
    expect(output).toMatchObject({ revisions_applied: 2, revisions_open: 1 });
    expect(sectionOf(text, "Idempotent workers")).toBe(sectionOf(run.article, "Idempotent workers"));
    expect(sectionOf(text, "Retrying failed jobs")).toBe(sectionOf(run.article, "Retrying failed jobs"));
    expect(text.startsWith("# Reliable message queues\n\nBased on")).toBe(true);
  });

  it("says that contents were mended only where they were", async () => {
    const run = await assembled();
    const revision = { kind: "structure" as const, section: "article", blocking: false };
    const asked = { ...revision, instruction: "Make the table of contents agree with the headings." };
    const edited = run.article.replace("- [Idempotent workers](#idempotent-workers)\n", "");
    const mended = await refined(run, [asked], edited);
    expect(mended.output).toMatchObject({ revisions_applied: 1, revisions_open: 0 });
    expect(mended.text).toBe(run.article);
    const nothing = await refined(run, [asked]);
    expect(nothing.output).toMatchObject({ revisions_applied: 0, revisions_open: 1, changed: false });
  });
});
