import { describe, expect, it } from "vitest";
import { createEvidenceBase } from "../extractive/evidence-base.ts";
import { corpusOf, outlineOf, queueDocuments, testRun } from "../testing/test-run.ts";
import { readFeedback, revisionsFromEvidence } from "./feedback.ts";

const outline = outlineOf([
  { title: "Delivery guarantees", key_points: ["At-least-once delivery"] },
  { title: "Retrying failed jobs", key_points: ["Exponential backoff"] },
]);

const markdown = `# Queues

## Delivery guarantees

A message queue stores jobs until a worker has finished them. [S1]

## Retrying failed jobs

Exponential backoff doubles the delay after each failed attempt. [S2] It ends.
`;

const both = ["section_1", "section_2"];
const quoted = "Exponential backoff doubles the delay after each failed attempt. [S2]";

describe("a point of feedback", () => {
  it.each([
    ["Shorten the section “Delivery guarantees”.", ["section_1"], "over_budget", undefined],
    ["section_2 is too long", ["section_2"], "over_budget", undefined],
    [
      'Remove "Exponential backoff doubles the delay after each failed attempt."',
      ["section_2"],
      "uncited_claim",
      quoted,
    ],
    [
      "Cover dead letter queues in “Retrying failed jobs”.",
      ["section_2"],
      "missing_key_point",
      "dead letter queues",
    ],
    ["Explain visibility timeouts of delivery!", ["section_1"], "editorial", undefined],
    ["Add a joke about backoff.", ["section_2"], "editorial", undefined],
    [
      'Do not remove "Exponential backoff doubles the delay after each failed attempt."',
      ["section_2"],
      "editorial",
      undefined,
    ],
    ["“Delivery guarantees” reads like a list.", ["section_1"], "editorial", undefined],
    ["Be funnier.", both, "editorial", undefined],
    ["Add a poem.", both, "editorial", undefined],
    ["Shorten it.", both, "editorial", undefined],
    ["Remove “It ends.”", both, "editorial", undefined],
  ] as const)("%j is about %j, and from the evidence is %s", async (text, sections, kind, target) => {
    const base = await createEvidenceBase(
      await corpusOf(queueDocuments()),
      "queues",
      new AbortController().signal,
    );
    const [point] = readFeedback([text], markdown, outline);
    if (point === undefined) throw new Error("there is no point");
    expect(point.sections.map(({ section_id }) => section_id)).toEqual(sections);
    const section = sections.length > 1 ? "article" : sections[0];
    expect(revisionsFromEvidence(point, base)).toEqual([
      { section, kind, blocking: false, instruction: text, ...(target === undefined ? {} : { target }) },
    ]);
  });
});

/** An article from the evidence, refined once under feedback with no model set. */
async function refined(...critic_feedback: string[]) {
  const run = testRun(queueDocuments(), { ".nova/article_outline.json": outline });
  await run.handlers.refine_and_save_article({ round: 0 }, run.context);
  const before = run.files.get("article.md") ?? "";
  const output = await run.handlers.refine_and_save_article({ round: 1, critic_feedback }, run.context);
  return { before, output, after: run.files.get("article.md") ?? "" };
}

describe("feedback without a model", () => {
  it("has a quoted sentence taken out, and nothing else", async () => {
    const sentence = "Exponential backoff doubles the delay after each failed attempt";
    const { before, after, output } = await refined(`Drop “${sentence}.”`);
    expect(before).toContain(sentence);
    expect(after).not.toContain(sentence);
    expect(output).toMatchObject({ changed: true, revisions_applied: 1, revisions_open: 0 });
    expect(output).not.toHaveProperty("feedback_open");
  });

  it("has all sentences that one point quotes taken out, though one leans on another", async () => {
    const gone = [
      "Exponential backoff doubles the delay after each failed attempt.",
      "It keeps a struggling server from being flooded by its own clients.",
    ];
    const { after, output } = await refined(`Remove the sentences: “${gone.join(" ")}”`);
    for (const sentence of gone) expect(after).not.toContain(sentence);
    expect(output).toMatchObject({ revisions_applied: 2, revisions_open: 0 });
  });

  it("has what the sources say of a topic added to the section that it names, with its source", async () => {
    const { before, after, output } = await refined("Cover idempotency keys in “Retrying failed jobs”.");
    const sectionOf = (text: string) => text.split("## Retrying failed jobs")[1]?.split("\n## ")[0];
    expect(sectionOf(before)).not.toContain("dempotency key");
    expect(sectionOf(after)).toMatch(/dempotency key[^.]*\. \[\d\]/);
    expect(output).toMatchObject({ revisions_applied: 1, revisions_open: 0 });
  });

  it("is told by name where it was not done", async () => {
    const asked = ["Be funnier.", "Cover penguins in the section “Delivery guarantees”.", "x".repeat(300)];
    const { before, after, output } = await refined(...asked);
    expect(after).toBe(before);
    expect(output).toMatchObject({
      changed: false,
      revisions_open: 3,
      feedback_open: [...asked.slice(0, 2), `${"x".repeat(199)}…`],
    });
  });

  it("does not touch a sentence that is a person's own", async () => {
    const own = "Our team has learned this the hard way.";
    const run = testRun(queueDocuments(), { ".nova/article_outline.json": outline });
    await run.handlers.refine_and_save_article({ round: 0 }, run.context);
    const article = (run.files.get("article.md") ?? "").replace(
      "## Retrying failed jobs\n\n",
      `## Retrying failed jobs\n\n${own}\n\n`,
    );
    run.put("article.md", article);
    run.persons.add("article.md");
    const input = { round: 1, critic_feedback: [`Remove “${own}”`] };
    const output = await run.handlers.refine_and_save_article(input, run.context);
    expect(run.files.get("article.md")).toContain(own);
    expect(output).toMatchObject({ feedback_open: input.critic_feedback });
  });
});
