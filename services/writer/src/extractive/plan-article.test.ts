import { wordCount } from "@proofroom/markdown";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { corpusOf, type Document, outlineOf, queueDocuments } from "../testing/test-run.ts";
import { createEvidenceBase } from "./evidence-base.ts";
import { planArticle } from "./plan-article.ts";
import { sectionMarkdown } from "./section-markdown.ts";

const queueOutline = outlineOf([
  { title: "Delivery guarantees", key_points: ["At-least-once delivery", "Visibility timeout of a job"] },
  { title: "Retrying", key_points: ["Exponential backoff", "Dead letter queue"], include_code: true },
  { title: "Idempotent workers", key_points: ["Idempotency keys", "Conditional writes"] },
]);

async function baseOf(documents: readonly Document[]) {
  return createEvidenceBase(await corpusOf(documents), "");
}

describe("planArticle", () => {
  it("gives each key point its best sentence and tells covered ones", async () => {
    const base = await baseOf(queueDocuments());
    const plan = planArticle(queueOutline, base);
    const texts = plan.sections.map((section) => sectionMarkdown(section, base.corpus));
    expect(texts[0]).toContain(
      "The visibility timeout says how long a job stays hidden from other workers. [S1]",
    );
    expect(texts[1]).toContain("Exponential backoff doubles the delay after each failed attempt. [S2]");
    expect(texts[1]).toContain("dead letter queue");
    expect(texts[2]).toContain("An idempotency key names the effect of a job");
    expect(texts[2]).toContain("A conditional write succeeds only if nobody has written before. [S3]");
    for (const section of plan.sections) {
      const covered = new Set(section.placed.filter(({ covers }) => covers).map(({ point }) => point));
      expect(covered).toEqual(new Set([0, 1]));
    }
  });

  it("never uses what is off the subject, however much room is left", async () => {
    const base = await baseOf(queueDocuments());
    const plan = planArticle(
      outlineOf(queueOutline.sections.map((s) => ({ ...s, target_word_count: 900 }))),
      base,
      {
        withSummary: true,
      },
    );
    const ids = plan.sections.flatMap(({ placed }) => placed.map(({ unit }) => unit.sourceId));
    expect(ids.length).toBeGreaterThan(10);
    expect(ids).not.toContain("S4");
    expect(plan.summary.map(({ unit }) => unit.sourceId)).not.toContain("S4");
  });

  it("prints whole sentences of the sources, and leaning ones only behind their own predecessor", async () => {
    const documents = queueDocuments();
    const base = await baseOf(documents);
    const plan = planArticle(
      outlineOf(queueOutline.sections.map((s) => ({ ...s, target_word_count: 900 }))),
      base,
    );
    for (const { unit, sentences } of plan.sections.flatMap(({ placed }) => placed)) {
      const source = documents[Number(unit.sourceId.slice(1)) - 1]?.text ?? "";
      let end = -1;
      for (const { passage } of sentences) {
        expect(source.slice(passage.start, passage.end)).toBe(passage.text);
        if (end !== -1) expect(source.slice(end, passage.start).trim()).toBe("");
        end = passage.end;
      }
      expect(sentences[0]?.text).not.toMatch(/^(?:It|This|However)\b/);
    }
  });

  it("uses no sentence twice, not even one said again in almost the same words by another source", async () => {
    const [first] = queueDocuments();
    const copy = (first?.text ?? "")
      .replaceAll("The queue hands", "A queue hands")
      .replaceAll("A worker that", "Any worker that");
    const base = await baseOf([...queueDocuments(), { ref: "copy.md", title: "Copy", text: copy }]);
    const plan = planArticle(
      outlineOf(queueOutline.sections.map((s) => ({ ...s, target_word_count: 900 }))),
      base,
      {
        withSummary: true,
      },
    );
    const placed = [...plan.sections.flatMap((section) => section.placed), ...plan.summary];
    const said = placed.flatMap(({ sentences }) =>
      sentences.map(({ text }) => text.replace(/^(?:Any|A|The) /, "")),
    );
    expect(new Set(said).size).toBe(said.length);
  });

  it("gives the same plan whatever order the sources were read in", async () => {
    const plans = await Promise.all(
      [1, 2].map(async () => {
        const base = await baseOf(queueDocuments());
        return planArticle(queueOutline, base, { withSummary: true }).sections.map((section) =>
          sectionMarkdown(section, base.corpus),
        );
      }),
    );
    expect(plans[1]).toEqual(plans[0]);
  });

  it("stays within every budget", async () => {
    const base = await baseOf(queueDocuments());
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            title: fc.constantFrom(
              "Delivery",
              "Retrying failed jobs",
              "Idempotent workers",
              "Introduction",
              "Basalt",
            ),
            key_points: fc.subarray([
              "Exponential backoff",
              "Visibility timeout",
              "Jitter",
              "Idempotency keys",
              "lava",
            ]),
            target_word_count: fc.integer({ min: 15, max: 260 }),
            include_code: fc.boolean(),
          }),
          { minLength: 1, maxLength: 5 },
        ),
        (sections) => {
          const outline = outlineOf(sections);
          for (const plan of planArticle(outline, base, { withSummary: true }).sections) {
            if (plan.placed.length === 0) continue;
            expect(wordCount(sectionMarkdown({ ...plan, code: [] }, base.corpus))).toBeLessThanOrEqual(
              plan.section.target_word_count,
            );
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("says in one sentence that nothing was found, or that nothing fits", async () => {
    const base = await baseOf(queueDocuments());
    const outline = outlineOf([{ title: "Volcanic rock" }, { title: "Retrying", target_word_count: 5 }]);
    const [rock, retrying] = planArticle(outline, base).sections.map((s) => sectionMarkdown(s, base.corpus));
    expect(rock).toBe("## Volcanic rock\n\nThe gathered sources say nothing about Volcanic rock.\n");
    expect(retrying).toContain("that fits the length");
  });

  it("takes whole, sound code where the section wants it, named by its source, and no block twice", async () => {
    const base = await baseOf(queueDocuments());
    const outline = outlineOf([
      { title: "Backoff and jitter", key_points: ["Delays with jitter"], include_code: true },
      { title: "Idempotency keys", key_points: ["Executing once by a key"], include_code: true },
      { title: "Jitter", key_points: ["Random delays"], include_code: true },
      { title: "Backoff", include_code: false },
    ]);
    const plans = planArticle(outline, base).sections;
    expect(plans.map(({ code }) => code.map(({ language }) => language))).toEqual([
      ["python"],
      ["javascript"],
      [],
      [],
    ]);
    const text = sectionMarkdown(plans[0] as (typeof plans)[number], base.corpus);
    expect(text).toContain("From Retrying failed jobs [S2]:\n\n```python\nimport random\n");
    expect(text).toContain("print([round(delay, 2) for delay in delays(4)])\n```");
  });

  it("works on five hundred sources", async () => {
    const documents = Array.from({ length: 500 }, (_, at) => ({
      ref: `notes/${at}.md`,
      title: `Note ${at}`,
      text: `# Note ${at}\n\n${Array.from(
        { length: 6 },
        (__, line) =>
          `The queue number ${at} holds the jobs of tenant ${line * 31 + at} in partition ${at * line}.`,
      ).join(" ")}\n`,
    }));
    const base = await baseOf(documents);
    const [plan] = planArticle(
      outlineOf([{ title: "Queue of a tenant", target_word_count: 200 }]),
      base,
    ).sections;
    expect(plan?.words).toBeGreaterThan(0);
    expect(base.retriever.passages.length).toBeGreaterThan(2_900);
  });
});
