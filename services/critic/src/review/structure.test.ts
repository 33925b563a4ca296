import type { CitationReport, Outline } from "@proofroom/contracts";
import { describe, expect, test } from "vitest";
import { measureSections } from "./sections.ts";
import { structureDefects } from "./structure.ts";

const none: CitationReport = {
  v: 1,
  article_sha256: "0".repeat(64),
  references: [],
  citations: [],
  uncited: [],
  summary: { sentences: 0, cited: 0, supported: 0, uncertain: 0, unsupported: 0, unresolved: 0, uncited: 0 },
};

function outlineOf(...titles: string[]): Outline {
  return {
    title: "T",
    subtitle: "",
    target_audience: "",
    estimated_read_time_minutes: 1,
    sections: titles.map((title, at) => ({
      section_id: `section_${at + 1}`,
      title,
      key_points: [],
      target_word_count: 10,
      include_code: false,
      citations_to_reference: [],
    })),
  };
}

function defects(article: string, ...titles: string[]) {
  return structureDefects(article, none, measureSections(article, outlineOf(...titles))).map(
    ({ section, instruction }) => `${section}: ${instruction}`,
  );
}

const contents = "## Table of Contents\n\n- [One](#one)\n";

describe("an ending", () => {
  test.each([
    ["a sentence", "So it is."],
    ["a sentence with its marker", "So it is. [1]"],
    ["a quotation", "He said “so it is.”"],
    ["a list without punctuation", "- so it is\n- and so"],
    ["a table", "| a | b |\n| - | - |\n| c | d |"],
    ["a closed block of code", "So:\n\n```js\nrun(\n```"],
    ["a sentence in Japanese", "そうです。"],
  ])("may be %s", (_, ending) => {
    expect(defects(`# T\n\n${contents}\n## One\n\n${ending}\n`, "One")).toEqual([]);
  });

  test.each([
    ["half a sentence", "So it is. In this article"],
    ["half a sentence with a marker", "So it is and [1]"],
    ["half an item", "- so it is\n- and then the"],
    ["an open block of code", "So:\n\n```js\nrun("],
    ["an introduction to nothing", "The following shows it:"],
  ])("may not be %s", (_, ending) => {
    expect(defects(`# T\n\n${contents}\n## One\n\n${ending}\n`, "One")).toEqual([
      "section_1: Complete the section “One”, which breaks off in the middle of a sentence or of code.",
    ]);
  });

  test("outside the outline is about the article", () => {
    const article = `# T\n\n${contents}- [Two](#two)\n\n## One\n\nSo it is.\n\n## Two\n\nAnd then the\n`;
    expect(defects(article, "One")).toEqual([
      "article: Complete the end of the article, which breaks off in the middle of a sentence or of code.",
    ]);
  });
});

describe("the table of contents", () => {
  test("agrees whatever the case, numbering and depth of its entries", () => {
    const article =
      "# T\n\n## Contents\n\n1. [1. ONE](#1-one)\n   - [Deeper](#deeper)\n\n## 1. One\n\nSo.\n\n### Deeper\n\nSo.\n";
    expect(defects(article, "One")).toEqual([]);
  });

  test.each([
    ["lacks a section", "- [One](#one)", "it lacks “Two”"],
    ["has one more", "- [One](#one)\n- [Two](#two)\n- Three", "it lists 1 that the article does not have"],
    ["links to nothing", "- [One](#one)\n- [Two](#tow)", "1 of its links lead nowhere"],
  ])("is named where it %s", (_, list, complaint) => {
    const article = `# T\n\n## Table of Contents\n\n${list}\n\n## One\n\nSo it is.\n\n## Two\n\nSo it is.\n`;
    expect(defects(article, "One", "Two")).toEqual([
      `article: Make the table of contents agree with the headings: ${complaint}.`,
    ]);
  });
});

test("a missing title and a left-out level are named", () => {
  expect(defects(`${contents}\n## One\n\nSo it is.\n\n#### Deep\n\nSo it is.\n`, "One")).toEqual([
    "article: Begin the article with its title as a heading of the first level.",
    "article: Do not leave out a level of headings above “Deep” (line 9).",
  ]);
});

describe("sections", () => {
  test("are found by title, equal titles in order, subsections included", () => {
    const article = "# T\n\n## 2) Setup:\n\nOne two.\n\n### More\n\nThree four.\n\n## Setup\n\nFive.\n";
    const found = measureSections(article, outlineOf("Setup", "setup", "Other"));
    expect(found.map(({ found, words }) => [found?.from ?? null, found?.to ?? null, words])).toEqual([
      [3, 10, 5],
      [11, 13, 1],
      [null, null, 0],
    ]);
  });

  test("is not the article itself where that has the same title", () => {
    const article = "# Retry budgets\n\n## Other\n\nOne two three.\n\n## Retry budgets\n\nFour five.\n";
    const found = measureSections(article, outlineOf("Retry budgets", "Other"));
    expect(found.map(({ words }) => words)).toEqual([2, 3]);
    const flat = measureSections("# Retry budgets\n\nFour five.\n", outlineOf("Retry budgets"));
    expect(flat.map(({ words }) => words)).toEqual([2]);
  });
});
