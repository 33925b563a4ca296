import { describe, expect, test } from "vitest";
import { readStatements } from "./statements.ts";

function brief(article: string) {
  return readStatements(article).map(({ sentence, numbers, line }) => ({ sentence, numbers, line }));
}

function claims(article: string): string[] {
  return readStatements(`# T\n\n## Part\n\n${article}`)
    .filter(({ claim }) => claim)
    .map(({ sentence }) => sentence);
}

describe("markers belong to the sentence that they stand at", () => {
  test("before and after the final punctuation, with and without a space", () => {
    expect(
      brief("# T\n\nOne is so [1]. Two is so.[2] Three is so. [3][1]\nFour is\nso [2, 4]. Five [1–3].\n"),
    ).toEqual([
      { sentence: "One is so.", numbers: [1], line: 3 },
      { sentence: "Two is so.", numbers: [2], line: 3 },
      { sentence: "Three is so.", numbers: [1, 3], line: 3 },
      { sentence: "Four is so.", numbers: [2, 4], line: 4 },
      { sentence: "Five.", numbers: [1, 2, 3], line: 5 },
    ]);
  });

  test("in list items, quotes and rows of tables", () => {
    const article = [
      "- First item. [1]",
      "- Second item [2]",
      "  goes on. [3]",
      "",
      "> Quoted words. [4]",
      "",
      "| Name | Value |",
      "| --- | --- |",
      "| A. Very big. | 5 [5] |",
      "| B | 6 |",
      "",
    ].join("\n");
    expect(brief(article)).toEqual([
      { sentence: "First item.", numbers: [1], line: 1 },
      { sentence: "Second item goes on.", numbers: [2, 3], line: 2 },
      { sentence: "Quoted words.", numbers: [4], line: 5 },
      { sentence: "Name | Value", numbers: [], line: 7 },
      { sentence: "A. Very big. | 5", numbers: [5], line: 9 },
      { sentence: "B | 6", numbers: [], line: 10 },
    ]);
  });

  test("one alone in its block belongs to the sentence before", () => {
    expect(brief("A is so.\n\n[2]\n")).toEqual([{ sentence: "A is so.", numbers: [2], line: 1 }]);
  });

  test("years and dates in brackets are no markers", () => {
    expect(brief("So it was [2024] and is [2024-03-01].\n")).toEqual([
      { sentence: "So it was [2024] and is [2024-03-01].", numbers: [], line: 1 },
    ]);
  });

  test("indices in code and escaped brackets are no markers", () => {
    expect(brief("Take `rows[1]` and \\[2\\] of them.\n\n```js\na[3]\n```\n")).toEqual([
      { sentence: "Take rows[1] and [2] of them.", numbers: [], line: 1 },
    ]);
  });

  test("headings, the table of contents and the references are left out", () => {
    const article =
      "# T\n\n## Table of Contents\n\n- [Part](#part)\n\n## Part\n\nSo it is.\n\n## References\n\n1. [A](https://a.dev)\n";
    expect(brief(article).map(({ sentence }) => sentence)).toEqual(["So it is."]);
  });
});

test("an earlier section of that name does not hide its sentences", () => {
  const article = "# T\n\n## References\n\nSo it is. [1]\n\n## References\n\n1. [A](https://a.dev)\n";
  expect(brief(article).map(({ sentence }) => sentence)).toEqual(["So it is."]);
});

describe("what needs a source", () => {
  test("one sentence below the title is a subtitle", () => {
    const article =
      "# T\n\nThis queue keeps all its jobs in memory.\n\n## Part\n\nAnother one keeps them on disk.\n";
    expect(readStatements(article).map(({ claim }) => claim)).toEqual([false, true]);
  });

  test("statements do", () => {
    expect(
      claims(
        "Redis stores the data in memory. It loses nothing on restart!\n\n- Kafka keeps a log per partition\n",
      ),
    ).toHaveLength(3);
    expect(claims("缓存会把失败的请求重试三次。\n")).toHaveLength(1);
  });

  test.each([
    ["questions", "Why does Redis keep data in memory?"],
    ["introductions to code", "The following call opens a queue:"],
    ["fragments", "So it goes."],
    ["turns of phrase", "That is all there is to it."],
    ["guidance through the article", "In this section we look at retries and their limits."],
    ["instructions", "Install the package with npm and open the file."],
    ["subtitles", "A short guide to queues and retries"],
    [
      "the note on composition",
      "> [!NOTE]\n> No language model wrote this article; its sentences are taken from the sources.",
    ],
    ["the note that nothing was found", "The gathered sources say nothing about the limits of queues."],
    ["the header of a table", "| One | Two | Three | Four |\n| - | - | - | - |"],
  ])("%s do not", (_, article) => {
    expect(claims(article)).toEqual([]);
  });
});

describe("text in places that are easily overlooked is read all the same", () => {
  const cited = (body: string) => readStatements(`# T\n\n## P\n\n${body}\n`);
  test.each([
    ["a heading that cites", "### The queue loses nothing [2]", [["The queue loses nothing", [2], false]]],
    [
      "a block of HTML, without its comments",
      "<p>The queue loses <b>no</b> jobs. [1]<!-- [3] --></p>",
      [["The queue loses no jobs.", [1], true]],
    ],
    ["HTML in a list", "- <p>The queue loses no jobs. [1]</p>", [["The queue loses no jobs.", [1], true]]],
    [
      "Chinese with a marker glued to both sentences",
      "\u4efb\u52a1\u5199\u5165\u78c1\u76d8\u4ee5\u540e\u786e\u8ba4\u3002[1]\u91cd\u8bd5\u6b21\u6570\u6700\u591a\u4e3a\u4e09\u6b21\u3002[2]",
      [
        ["\u4efb\u52a1\u5199\u5165\u78c1\u76d8\u4ee5\u540e\u786e\u8ba4\u3002", [1], true],
        ["\u91cd\u8bd5\u6b21\u6570\u6700\u591a\u4e3a\u4e09\u6b21\u3002", [2], true],
      ],
    ],
    [
      "an instruction in form that states a figure",
      "Use of jitter reduced the load by 40 percent.",
      [["Use of jitter reduced the load by 40 percent.", [], true]],
    ],
    [
      "a footnote",
      "Text.[^1]\n\n[^1]: The queue loses every job. [1]",
      [
        ["Text.", [], false],
        ["The queue loses every job.", [1], true],
      ],
    ],
  ])("%s", (_name, body, expected) => {
    expect(cited(body).map(({ sentence, numbers, claim }) => [sentence, numbers, claim])).toEqual(expected);
  });

  test.each([
    [
      "the table of contents",
      "# T\n\n## Contents\n\n- [P](#p)\n- The queue loses half of its jobs.\n\n## P\n",
    ],
    [
      "the references",
      "# T\n\n## References\n\n1. [x](https://x.dev)\n\nThe queue loses half of its jobs.\n",
    ],
  ])("what else stands below the heading of %s", (_name, article) => {
    expect(readStatements(article).map(({ sentence }) => sentence)).toEqual([
      "The queue loses half of its jobs.",
    ]);
  });
});
