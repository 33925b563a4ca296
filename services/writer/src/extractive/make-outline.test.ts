import { outlineSchema } from "@proofroom/contracts";
import { parseGuidelineBrief } from "@proofroom/evidence";
import { describe, expect, it } from "vitest";
import { corpusOf, type Document, queueDocuments } from "../testing/test-run.ts";
import { createEvidenceBase } from "./evidence-base.ts";
import { makeOutline } from "./make-outline.ts";

const guideline = `# Reliable message queues

For backend engineers.

## Section 1: Delivery
- At-least-once delivery
- **Section length:** 150 words

## Section 2: Retrying in code
- Backoff and jitter, with a code example
`;

async function outline(text: string, documents: readonly Document[] = queueDocuments()) {
  const brief = parseGuidelineBrief(text);
  return outlineSchema.parse(
    makeOutline(brief, await createEvidenceBase(await corpusOf(documents), brief.topic)),
  );
}

describe("makeOutline", () => {
  it("follows the guideline's sections, key points and budgets", async () => {
    const made = await outline(guideline);
    expect(made.title).toBe("Reliable message queues");
    expect(made.sections.map(({ section_id, title }) => [section_id, title])).toEqual([
      ["section_1", "Delivery"],
      ["section_2", "Retrying in code"],
    ]);
    expect(made.sections[0]).toMatchObject({ target_word_count: 150, include_code: false });
    expect(made.sections[1]).toMatchObject({ target_word_count: 200, include_code: true });
  });

  it("names the sources that bear on a section, best first, and no others", async () => {
    const made = await outline(guideline);
    expect(made.sections[0]?.citations_to_reference[0]).toBe("notes/delivery.md");
    expect(made.sections[1]?.citations_to_reference[0]).toBe("notes/retries.md");
    expect(made.sections.flatMap((s) => s.citations_to_reference)).not.toContain("notes/garden.md");
  });

  it("spreads the length of the article over the sections without one of their own", async () => {
    const long = guideline.replace(
      "For backend engineers.",
      "Expected length of the article: **1000 words**",
    );
    const made = await outline(long);
    expect(made.sections.map(({ target_word_count }) => target_word_count)).toEqual([150, 850]);
  });

  it("without an outline takes the headings of the sources that bear on the topic", async () => {
    const made = await outline("# Retrying and idempotency in a job queue\n");
    const titles = made.sections.map(({ title }) => title);
    expect(titles.length).toBeGreaterThan(1);
    expect(titles).not.toContain("Watering");
    expect(titles).toContain("Idempotency keys");
  });

  it("takes the subject of the first sentence as title where there is none", async () => {
    const made = await outline(
      "## Global Context\n\nMessage queueing (or job queueing) is a way to defer work.\n",
    );
    expect(made.title).toBe("Message queueing");
  });

  it.each<[string, Document[]]>([
    ["no sources", []],
    ["a source without usable sentences", [{ ref: "a.md", title: "Notes", text: "# Notes\n\n- a\n- b\n" }]],
    [
      "a source without headings",
      [{ ref: "a.txt", title: "Plain", text: "A queue stores the jobs of a server until later." }],
    ],
  ])("is never empty: %s", async (_name, documents) => {
    const made = await outline("", documents);
    expect(made.sections.length).toBeGreaterThan(0);
    expect(made.title).not.toBe("");
  });

  it("makes nothing of sources that have not a word in common with the title", async () => {
    const made = await outline("# Cooking pasta al dente\n");
    expect(made.sections.map(({ title, key_points }) => [title, key_points])).toEqual([
      ["Cooking pasta al dente", ["Cooking pasta al dente"]],
    ]);
  });

  it("does not compare words in a script without spaces", async () => {
    expect((await outline("# 安全地重试\n")).sections.length).toBeGreaterThan(1);
  });
});
