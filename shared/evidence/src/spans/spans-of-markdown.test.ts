import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type HeadingPath, spansOfMarkdown } from "./spans-of-markdown.ts";

const shown = (text: string) =>
  spansOfMarkdown(text).map((span) => [
    span.kind,
    text.slice(span.start, span.end),
    (span.locator.headings ?? []).join(" > "),
  ]);

describe("spans of Markdown", () => {
  test("paragraphs, items, quotes, code and tables are spans under their headings", () => {
    const text = [
      "# Guide",
      "",
      "Hello *there*,",
      "friend.",
      "",
      "## Use",
      "- one",
      "- two",
      "  more",
      "",
      "> quoted",
      "> twice",
      "",
      "```Python title=x",
      "print(1)",
      "",
      "print(2)",
      "```",
      "",
      "# End",
      "",
      "| a | b |",
      "| - | - |",
      "| 1 | 2 |",
      "",
    ].join("\n");
    expect(shown(text)).toEqual([
      ["prose", "Hello *there*,\nfriend.", "Guide"],
      ["prose", "- one", "Guide > Use"],
      ["prose", "- two\n  more", "Guide > Use"],
      ["prose", "> quoted\n> twice", "Guide > Use"],
      ["code", "print(1)\n\nprint(2)", "Guide > Use"],
      ["table", "| a | b |\n| - | - |\n| 1 | 2 |", "End"],
    ]);
    expect(spansOfMarkdown(text)[4]?.language).toBe("python");
  });

  test("a list item that holds code or a list gives a span for each part, never one within another", () => {
    const text = "1. First\n\n   ```sh\n   npm i\n   ```\n\n   - inner\n2. Second\n";
    expect(shown(text)).toEqual([
      ["prose", "First", ""],
      ["code", "   npm i", ""],
      ["prose", "- inner", ""],
      ["prose", "2. Second", ""],
    ]);
  });

  test("fences: four backticks, tildes, no closing fence, empty, indented code", () => {
    expect(shown("````md\n```js\nx\n```\n````\n")).toEqual([["code", "```js\nx\n```", ""]]);
    expect(shown("~~~\na\r\n~~~\n")).toEqual([["code", "a", ""]]);
    expect(shown("```js\nlet a = 1;\nlet b;")).toEqual([["code", "let a = 1;\nlet b;", ""]]);
    expect(shown("```js\n```\n")).toEqual([]);
    expect(shown("text\n\n    code here\n")).toEqual([
      ["prose", "text", ""],
      ["code", "    code here", ""],
    ]);
    expect(spansOfMarkdown("```\nx\n```")[0]?.language).toBeNull();
    expect(spansOfMarkdown("```{.c++ .numberLines}\nx\n```")[0]?.language).toBe("cpp");
    expect(spansOfMarkdown("```py\nx\n```")[0]?.language).toBe("python");
  });

  test("front matter, byte order mark, comments and badges are no spans", () => {
    expect(shown("---\ntitle: A\ntags: [x]\n---\n\nText.\n")).toEqual([["prose", "Text.", ""]]);
    expect(shown("\uFEFF# T\n\nText.")).toEqual([["prose", "Text.", "T"]]);
    expect(shown('<p align="center"><img src="logo.png"></p>\n\n<!-- note -->\n\n<b>Word</b>\n')).toEqual([
      ["prose", "<b>Word</b>", ""],
    ]);
  });

  test("a heading of the same or a higher level ends the path, also where levels are skipped", () => {
    expect(shown("# A\n\n### C\n\n1\n\n## B\n\n2\n\nD\n=\n\n3\n").map(([, , path]) => path)).toEqual([
      "A > C",
      "A > B",
      "D",
    ]);
  });

  test("the base goes into every locator, and lines are filled in where it names a file", () => {
    const spans = spansOfMarkdown("# T\n\none\ntwo\n\n```js\nx\ny\n```\n", {
      file: "docs/a.md",
      headings: ["docs"],
    });
    expect(spans.map((span) => span.locator)).toEqual([
      { file: "docs/a.md", headings: ["docs", "T"], line_from: 3, line_to: 4 },
      { file: "docs/a.md", headings: ["docs", "T"], line_from: 7, line_to: 8 },
    ]);
    expect(spansOfMarkdown("one", { page: 3 })[0]?.locator).toEqual({ page: 3 });
  });

  test("a text in parts keeps its headings from part to part", () => {
    const path: HeadingPath = [];
    const headings = ["# A\n\n## B", "one", "## C\n\ntwo\n\n# D", "three"].flatMap((part) =>
      spansOfMarkdown(part, {}, path).map((span) => span.locator.headings),
    );
    expect(headings).toEqual([["A", "B"], ["A", "C"], ["D"]]);
  });

  test("a very long paragraph is cut between words", () => {
    const text = "word ".repeat(5_000).trim();
    const spans = spansOfMarkdown(text);
    expect(spans.length).toBeGreaterThan(2);
    expect(
      spans.every((span) =>
        text
          .slice(span.start, span.end)
          .split(" ")
          .every((word) => word === "word"),
      ),
    ).toBe(true);
    expect(spans.map((span) => text.slice(span.start, span.end)).join(" ")).toBe(text);
  });
});

const fragment = fc.constantFrom(
  "# H\n",
  "### deep\n",
  "para ",
  "😀",
  "漢字",
  "\uD83D",
  "\uFEFF",
  "\0",
  "\t",
  "\n",
  "\r\n",
  "\r",
  "\n\n",
  "- ",
  "1. ",
  "> ",
  "    ",
  "```js\n",
  "```\n",
  "~~~\n",
  "| a | b |\n",
  "| - | - |\n",
  "---\n",
  "[^1]: note\n",
  "<div>",
  "</div>",
  "<!-- ",
  " -->",
  "*",
  "[x](y)",
  "[x]: y\n",
  "- [ ] task\n",
  "\\",
  "`",
);

describe("for any text", () => {
  test("spans are in order, apart, within the text, not blank, and tear no surrogate pair", () => {
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 60 }), (parts) => {
        const text = parts.join("");
        let end = 0;
        for (const span of spansOfMarkdown(text, { file: "a.md" })) {
          expect(span.start).toBeGreaterThanOrEqual(end);
          expect(span.end).toBeGreaterThan(span.start);
          expect(text.slice(span.start, span.end).trim()).not.toBe("");
          expect(tearsPair(text, span.start) || tearsPair(text, span.end)).toBe(false);
          expect(span.locator.line_from).toBe(text.slice(0, span.start).split(/\r\n|\r|\n/).length);
          end = span.end;
        }
        expect(end).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 300 },
    );
  });

  test("no word of a paragraph is lost", () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(
        fc.array(words, { maxLength: 10 }),
        fc.constantFrom("\n\n", "\r\n\r\n", "\n\n- ", "\n\n> "),
        (blocks, gap) => {
          const text = blocks.map((block) => block.join(" ")).join(gap);
          const kept = spansOfMarkdown(text)
            .map((span) => text.slice(span.start, span.end))
            .join(" ");
          expect(kept.match(/[a-z]+/g) ?? []).toEqual(blocks.flat());
        },
      ),
      { numRuns: 100 },
    );
  });
});

function tearsPair(text: string, at: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1));
}
