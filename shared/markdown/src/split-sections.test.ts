import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitSections } from "./split-sections.ts";
import { tableOfContents } from "./table-of-contents.ts";

describe("splitSections", () => {
  it("cuts before real headings only", () => {
    const markdown =
      "Intro\n\n# A\n\n```sh\n# comment\n```\n\nB *b*\n---\n\n> ## quoted\n\n    # code\n\n## A\nend";
    expect(splitSections(markdown).map(({ markdown: _text, ...rest }) => rest)).toEqual([
      { heading: null, depth: 0, slug: "", start_line: 1, end_line: 2 },
      { heading: "A", depth: 1, slug: "a", start_line: 3, end_line: 8 },
      { heading: "B b", depth: 2, slug: "b-b", start_line: 9, end_line: 15 },
      { heading: "A", depth: 2, slug: "a-1", start_line: 16, end_line: 17 },
    ]);
  });

  it("loses no byte: the sections joined are the article", () => {
    const line = fc.constantFrom(
      "# A",
      "## B",
      "text",
      "",
      "```",
      "---",
      "\ufeff",
      "- # in list",
      "> ## q",
      "===",
      "<!--",
      "-->",
    );
    const article = fc
      .tuple(fc.array(line), fc.constantFrom("\n", "\r\n", "\r"), fc.boolean())
      .map(([lines, eol, last]) => lines.join(eol) + (last ? eol : ""));
    fc.assert(
      fc.property(article, (markdown) => {
        expect(
          splitSections(markdown)
            .map((section) => section.markdown)
            .join(""),
        ).toBe(markdown);
      }),
    );
  });
});

describe("tableOfContents", () => {
  it("nests headings of depth 2 and 3, escapes their text and leaves itself out", () => {
    const markdown =
      "# T\n## Table of Contents\n## A [x] *b*\n### A.1\n### A.2\n#### deep\n## `c_d`\n## A [x] b\n";
    expect(tableOfContents(markdown)).toBe(
      "- [A \\[x\\] b](#a-x-b)\n  - [A.1](#a1)\n  - [A.2](#a2)\n- [c_d](#c_d)\n- [A \\[x\\] b](#a-x-b-1)\n",
    );
  });

  it("is empty where no heading qualifies", () => {
    expect(tableOfContents("# Title\n\nText.\n")).toBe("");
  });
});
