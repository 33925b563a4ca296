import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseGuidelineBrief } from "./brief.ts";

function fixture(name: string): string {
  return readFileSync(new URL(`fixtures/${name}`, import.meta.url), "utf8");
}

function realGuideline(id: string): string {
  const { cases } = JSON.parse(fixture("guidelines.json")) as { cases: { id: string; guideline: string }[] };
  return cases.find((one) => one.id === id)?.guideline ?? "";
}

const titles = (text: string) => parseGuidelineBrief(text).sections.map((section) => section.title);
const first = (text: string) => parseGuidelineBrief(text).sections[0];

describe("guidelines of real projects", () => {
  test("a small guideline: sections by their headings, the outline's note asks for code", () => {
    const brief = parseGuidelineBrief(fixture("function-calling.md"));
    expect(
      brief.sections.map((section) => [section.title, section.key_points.length, section.include_code]),
    ).toEqual([
      ["Introduction", 3, null],
      ["How Function Calling Works", 3, null],
      ["Implementing Function Calling", 3, true],
      ["Advanced Patterns", 4, null],
      ["Conclusion", 4, null],
    ]);
    expect(brief.sections[0]?.key_points[0]).toBe(
      "LLMs are powerful reasoners but limited in what they can do",
    );
    expect(brief.topic).toMatch(/^Function calling \(or tool calling\) is a mechanism.*real tasks\.$/);
    expect(brief).toMatchObject({ title: null, audience: null, expected_words: null });
  });

  test("a large guideline: length, audience and a length per section", () => {
    const brief = parseGuidelineBrief(realGuideline("g048"));
    expect(brief.expected_words).toBe(3200);
    expect(brief.audience).toMatch(/^Aspiring AI Engineers/);
    expect(brief.sections.map((section) => section.target_word_count)).toEqual([
      300, 400, 500, 550, 900, 350,
    ]);
    expect(brief.sections[2]?.title).toBe("Choosing Your Path");
    expect(brief.sections[1]?.key_points).toContain(
      "On LLM workflows we care about: Analogy: A factory assembly line.",
    );
    expect(brief.topic).not.toMatch(/3200|60% theory/);
  });

  test("ranges of words give their middle, an outline that repeats the sections adds none", () => {
    const brief = parseGuidelineBrief(realGuideline("g049"));
    expect(brief.expected_words).toBe(2250);
    expect(brief.sections.map((section) => section.target_word_count)).toEqual([
      400, 275, 400, 400, 500, 500, 200,
    ]);
    expect(brief.sections.at(-1)?.title).toBe("Conclusion");
    expect(brief.sections[4]?.include_code).toBe(true);
    expect(brief.topic.length).toBeGreaterThan(1500);
    expect(brief.topic.length).toBeLessThanOrEqual(2000);
  });
});

describe("where sections come from", () => {
  test("an outline entry without a section heading is kept, in its place", () => {
    const text =
      "## Outline\n1. Why\n2. **How** - with runnable code (300 words)\n3. End\n   - sum up\n\n## Section 1 - Why\n- x\n\n## Section 3: End\n";
    expect(parseGuidelineBrief(text).sections).toEqual([
      { title: "Why", key_points: ["x"], target_word_count: null, include_code: null },
      {
        title: "How",
        key_points: ["with runnable code (300 words)"],
        target_word_count: null,
        include_code: true,
      },
      { title: "End", key_points: ["sum up"], target_word_count: null, include_code: null },
    ]);
  });

  test("without section headings the outline's list counts, with what headings of the same name say", () => {
    const text =
      "## Outline\n- Intro (200 words)\n- Details\n- References\n\n## Details\n- point\n\n## Tone\nCalm.\n";
    expect(parseGuidelineBrief(text).sections).toEqual([
      { title: "Intro", key_points: [], target_word_count: 200, include_code: null },
      { title: "Details", key_points: ["point"], target_word_count: null, include_code: null },
    ]);
  });

  test("headings below the outline are its sections", () => {
    expect(
      titles("## Outline\n### Introduction\n- hook\n### How\n#### Detail\n### Sources\n- x\n\n## Notes\n"),
    ).toEqual(["Introduction", "How"]);
  });

  test("without an outline all headings count but those about the guideline or its sources", () => {
    const text =
      "# T\n## Global Context of the Article\n## Anchoring\n## Narrative Flow\n## Introduction\n## Context windows\n## Voice agents\n## Golden Sources\n## Other Sources\n## References\n";
    expect(titles(text)).toEqual(["Introduction", "Context windows", "Voice agents"]);
  });

  test.each([
    "## Section 1 - Title",
    "## Section 1: Title",
    "### section 1. Title",
    "# Section 1 \u2013 Title",
    "## Section 1 Title ...",
  ])("%s names a section", (heading) => {
    expect(titles(`${heading}\n- a\n`)).toEqual(["Title"]);
  });
});

describe("what a section says", () => {
  test("a short introducing entry is put before its entries; lengths and lone links are no key points", () => {
    const text =
      "## Section 1 - A\n- Strengths:\n  - speed\n  - price\n- Section length: 1,200 words\n- [Docs](https://example.com)\n- ```js\n  x\n  ```\n";
    expect(first(text)).toEqual({
      title: "A",
      key_points: ["Strengths: speed", "Strengths: price"],
      target_word_count: 1200,
      include_code: null,
    });
  });

  test("prose serves where there are no entries", () => {
    expect(first("## Section 1 - A\nSome prose.\n\nLength: 90 words\n")).toMatchObject({
      key_points: ["Some prose."],
      target_word_count: 90,
    });
  });

  test.each([
    ["Include a snippet of the loop", true],
    ["Show the code of the retry", true],
    ["A code example for each", true],
    ["No code in this one", false],
    ["How coding agents behave, such as Claude Code", null],
    ["Real-world examples", null],
  ])("code: %s", (point, expected) => {
    expect(first(`## Section 1 - A\n- ${point}\n`)?.include_code).toBe(expected);
  });
});

describe("what holds for the whole article", () => {
  test.each([
    ["# Guideline: Retries", "Retries"],
    ["# Article guideline \u2013 Retries", "Retries"],
    ["# Retries", "Retries"],
    ["# Global Context\n\n# Section 1 - A", null],
    ["**Title:** Retries", "Retries"],
    ["", null],
  ])("title of %j", (text, title) => {
    expect(parseGuidelineBrief(text).title).toBe(title);
  });

  test.each([
    ["## Expected Length\n**3200 words** (200-250 words a minute)", 3200],
    ["## Expected Length of the Article\n2.5k words", 2500],
    ["Length: 1\u00A0500 words", 1500],
    ["Write a 1,500-word tutorial.", 1500],
    ["The word count of 12 reports.", null],
    ["## Section 1 - A\n- Section length: 300 words", null],
  ])("words of %j", (text, words) => {
    expect(parseGuidelineBrief(text).expected_words).toBe(words);
  });

  test("the topic is the title and the prose of the context, without lines about length and audience", () => {
    const text =
      "# Guideline: T\n\nAbout *queues*.\n\n**Audience:** engineers\n\nLength: 900 words\n\n## Section 1 - A\nNot this.\n";
    expect(parseGuidelineBrief(text)).toMatchObject({
      audience: "engineers",
      expected_words: 900,
      topic: "T\nAbout queues.",
    });
  });
});

test("any text gives a brief whose topic is bounded", () => {
  const line = fc.constantFrom(
    "# A",
    "## Outline",
    "## Section 1 - B",
    "### C",
    "- x",
    "  - y:",
    "1. z",
    "300 words",
    "",
    "> - q",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.array(line).map((lines) => lines.join("\n")),
      ),
      (text) => {
        const brief = parseGuidelineBrief(text);
        expect(brief.topic.length).toBeLessThanOrEqual(2000);
        expect(brief.sections.every((section) => section.title !== "")).toBe(true);
      },
    ),
    { numRuns: 150 },
  );
});

test("a title is one line of bounded length that steers no terminal", () => {
  const { title } = parseGuidelineBrief(`# Safe\u001b[31m \u202etitle ${"x".repeat(1_000)}\n`);
  expect(title).toHaveLength(300);
  expect(title).toMatch(/^Safe \[31m title x+$/);
});
