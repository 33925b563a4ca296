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
const quoted = "exponential backoff doubles the delay after each failed attempt";

/** The words by which a caller says how much are in the sources too. */
const measures = {
  ref: "notes/costs.md",
  title: "Costs",
  text: "# Costs\n\nOperators who look only briefly at dead letter queues spend less time on them.\n",
};

async function baseOf() {
  const corpus = await corpusOf([...queueDocuments(), measures]);
  return createEvidenceBase(corpus, "queues", new AbortController().signal);
}

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
    ["The Delivery guarantees section is far too long.", ["section_1"], "over_budget", undefined],
    ["Shorten section_1: it is too long.", ["section_1"], "over_budget", undefined],
    ["“Retrying failed jobs” is dull, and it is too wordy.", ["section_2"], "over_budget", undefined],
    ["Explain that the delay of backoff is too long for a cache", ["section_2"], "editorial", undefined],
    ["Explain that “Retrying failed jobs” is too long", ["section_2"], "editorial", undefined],
    [
      "The Delivery guarantees section says jobs are too long in the queue: cite the source",
      ["section_1"],
      "editorial",
      undefined,
    ],
    ["The delay in “Retrying failed jobs” is too long.", ["section_2"], "editorial", undefined],
    ["The article is too long on backoff.", ["section_2"], "editorial", undefined],
    ["Shorten the delay of “Retrying failed jobs”.", ["section_2"], "editorial", undefined],
    ["Describe dead letter queues less in “Retrying failed jobs”.", ["section_2"], "editorial", undefined],
    ["Describe dead letter queues more in “Retrying failed jobs”.", ["section_2"], "editorial", undefined],
    ["Mention dead letter queues briefly in section_2!", ["section_2"], "editorial", undefined],
    ["Cover dead letter queues in section_2.", ["section_2"], "missing_key_point", "dead letter queues"],
    [
      "Include less about dead letter queues in “Retrying failed jobs”.",
      ["section_2"],
      "editorial",
      undefined,
    ],
    ["Be funnier.", both, "editorial", undefined],
    ["Add a poem.", both, "editorial", undefined],
    ["Shorten it.", both, "editorial", undefined],
    ["Remove “It ends.”", both, "editorial", undefined],
  ] as const)("%j is about %j, and from the evidence is %s", async (text, sections, kind, target) => {
    const base = await baseOf();
    const [point] = readFeedback([text], markdown, outline);
    if (point === undefined) throw new Error("there is no point");
    expect(point.sections.map(({ section_id }) => section_id)).toEqual(sections);
    // What is to go without a section named goes wherever it stands.
    const section = sections.length > 1 || kind === "uncited_claim" ? "article" : sections[0];
    expect(revisionsFromEvidence(point, base)).toEqual([
      { section, kind, blocking: false, instruction: text, ...(target === undefined ? {} : { target }) },
    ]);
  });
});

describe("a long point of feedback", () => {
  /** So long that looking at each pair of its characters would take minutes. */
  const long = 100_000;

  it.each([
    ["blanks", `Cover${" ".repeat(long)}x${" ".repeat(long)}y`],
    ["blanks behind a removal", `Remove${" ".repeat(long)}x`],
    ["blanks behind a place", `Cover x in${" ".repeat(long)}the${" ".repeat(long)}y`],
    ["marks", `Cover x${"!".repeat(long)}y`],
    ["subjects", "that ".repeat(long / 5)],
    ["articles", `${"so the the ".repeat(long / 10)}is too long`],
    ["quotations", `Remove ${'"x" and '.repeat(long / 10)}`],
  ])("of %s is read to its end", async (_name, text) => {
    const [point] = readFeedback([text], markdown, { ...outline, sections: outline.sections.slice(0, 1) });
    if (point === undefined) throw new Error("there is no point");
    expect(revisionsFromEvidence(point, await baseOf())).toMatchObject([{ kind: "editorial" }]);
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

  const backoff = "Exponential backoff doubles the delay after each failed attempt.";
  const leaning = "It keeps a struggling server from being flooded by its own clients.";
  const hands = "The queue hands the job to another worker after the visibility timeout has passed.";
  const both = [backoff, hands];

  it.each([
    ["it gives a reason", `Remove "${backoff}", since "${hands}" says it already.`, [backoff]],
    ["it names one to keep", `Remove "${backoff}" and keep "${hands}"`, [backoff]],
    ["it keeps one that leans on it", `Remove "${backoff}" and keep "${leaning}"`, [backoff]],
    ["it names two", `Remove "${backoff}" and "${hands}"`, both],
    ["it names two in a list", `Delete the sentences: “${backoff}”, “${hands}”.`, both],
    ["it gives the article as the place", `Drop «${backoff}» from the article.`, [backoff]],
    ["it goes on for no reason", `Remove "${backoff}", "${hands}" says it better`, []],
    ["it sets a condition", `Remove "${backoff}" unless a source says it`, []],
    ["it asks for more", `Remove "${backoff}" and put it into “Delivery guarantees”`, []],
    ["it names a place unknown", `Remove "${backoff}" from the Summary`, []],
    ["its quotation does not end", `Remove "${backoff}`, []],
    ["it only quotes from it", `Remove "${backoff.replace("attempt.", "attempts, and more.")}"`, []],
    ["it quotes more than the sentence", `Remove "${backoff.replace(/\.$/, "ed.")}"`, []],
  ])("takes out what a point wants out where %s, and nothing else", async (_name, asked, gone) => {
    const { before, after, output } = await refined(asked);
    for (const sentence of [...both, leaning]) expect(before).toContain(sentence);
    expect(both.filter((sentence) => !after.includes(sentence))).toEqual(gone);
    if (asked.includes(leaning)) expect(after).toContain(leaning);
    if (gone.length === 0) expect(after).toBe(before);
    expect(output.feedback_open).toEqual(gone.length === 0 ? [asked] : undefined);
  });

  it("takes out of several what it finds, and tells that not all of it was there", async () => {
    const asked = `Remove "${backoff}" and "No queue of the world has ever said this."`;
    const { after, output } = await refined(asked);
    expect(after).not.toContain(backoff);
    expect(output).toMatchObject({ revisions_applied: 1, revisions_open: 1, feedback_open: [asked] });
  });

  it.each([
    ["Remove “$” from the section “Delivery guarantees”", ["Retrying failed jobs"]],
    ["Remove “$” from section_2, since it stands there twice.", ["Delivery guarantees"]],
    [
      "Remove “$” from Retrying failed jobs and Delivery guarantees",
      ["Delivery guarantees", "Retrying failed jobs"],
    ],
    ["Remove “$”", []],
  ])("of a sentence that stands twice, under %j leaves it in %j", async (asked, left) => {
    const point = asked.replace("$", backoff);
    const run = testRun(queueDocuments(), { ".nova/article_outline.json": outline });
    await run.handlers.refine_and_save_article({ round: 0 }, run.context);
    const article = (run.files.get("article.md") ?? "").replace(
      "## Delivery guarantees\n\n",
      `## Delivery guarantees\n\n${backoff} [2]\n\n`,
    );
    run.put("article.md", article);
    const input = { round: 1, critic_feedback: [point] };
    const output = await run.handlers.refine_and_save_article(input, run.context);
    const sections = (run.files.get("article.md") ?? "").split("\n## ").slice(1);
    const having = sections.filter((text) => text.includes(backoff)).map((text) => text.split("\n")[0]);
    expect(having.filter((title) => title !== "Executive Summary")).toEqual(left);
    expect(output.feedback_open).toEqual(left.length === 2 ? [point] : undefined);
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
