import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { extractFences, type Fence } from "./extract-fences.ts";

interface FenceCase {
  id: string;
  why: string;
  markdown: string;
  expect: Partial<Fence>[];
}

const { cases } = JSON.parse(readFileSync(new URL("fixtures/fences.json", import.meta.url), "utf8")) as {
  cases: FenceCase[];
};

/** The compared keys of a fence, flags only where they are set. */
function reported(fence: Fence): Partial<Fence> {
  const { unclosed, indented, suspicious_nesting, end_line: _end, ...rest } = fence;
  return {
    ...rest,
    ...(unclosed ? { unclosed } : {}),
    ...(indented ? { indented } : {}),
    ...(suspicious_nesting ? { suspicious_nesting } : {}),
  };
}

describe("extractFences on the collected cases", () => {
  it.each(cases.map((one) => [one.id, one] as const))("%s", (_id, one) => {
    expect(extractFences(one.markdown).map(reported)).toEqual(one.expect);
  });
});

describe("extractFences", () => {
  const found = (markdown: string) =>
    extractFences(markdown).map(({ code, start_line, end_line }) => [code, start_line, end_line]);

  it("drops one byte-order mark only: a second one is a character like any other", () => {
    expect(found("\ufeff\ufeff```\na\n```\n")).toEqual([["", 3, 3]]);
    expect(found("\ufeff\ufeffa\n\n```py title\nb\n```\n")).toEqual([["b", 3, 5]]);
    expect(extractFences("\ufeff\ufeffa\n\n```py title\nb\n```\n")[0]?.info).toBe("py title");
  });

  it("counts LF, CRLF and CR as line endings and nothing else", () => {
    expect(found("a\r\rb\u2028\f\u000b\u0085c\r\n```\nx\u2028y\r```")).toEqual([["x\u2028y", 4, 6]]);
  });

  it("expands a tab that a container has used in part", () => {
    expect(found("- a\n\n\t\tb\n")).toEqual([["  b", 3, 3]]);
  });

  it("reads front matter of a Markdown sample by the same rules, with lines of the article", () => {
    const markdown = "Text.\n\n````md\n---\nt: |\n  ```py\n---\n\n```py\nb\n```\n````\n";
    expect(found(markdown).slice(1)).toEqual([["b", 9, 11]]);
  });

  it("reads samples within samples, and leaves their indented code out", () => {
    const markdown = "`````md\n    indented\n\n````md\n```py\na\n```\n````\n`````\n";
    expect(
      extractFences(markdown).map(({ index, language, start_line, nested_in }) => [
        index,
        language,
        start_line,
        nested_in,
      ]),
    ).toEqual([
      [1, "markdown", 1, undefined],
      [2, "markdown", 4, "markdown"],
      [3, "python", 5, "markdown"],
    ]);
  });

  it("takes tables but no other extension for block structure", () => {
    expect(found("[^1]: note\n\n    code\n")).toEqual([["code", 3, 3]]);
    expect(found("::: tip\n```\na\n```\n:::\n\n$$\n```\nb\n```\n$$\n")).toEqual([
      ["a", 2, 4],
      ["b", 8, 10],
    ]);
  });

  it.each([
    [
      "indented code",
      "    code\n2. ```py\n   x\n   ```\n",
      [
        ["code", 1, 1],
        ["x", 2, 4],
      ],
    ],
    ["a quote that interrupts a paragraph", "Text\n> 2. ```py\n>    x\n>    ```\n", [["x", 2, 4]]],
    ["a list that interrupts a paragraph", "Text\n- 7) ~~~\n     x\n     ~~~\n", [["x", 2, 4]]],
  ])("lets an ordered list begin at any number behind or in %s", (_place, markdown, blocks) => {
    expect(found(markdown)).toEqual(blocks);
  });

  it("keeps a paragraph whole where a number but 1 would begin a list", () => {
    expect(found("It was in\n1999. ```py\n")).toEqual([]);
  });

  it("reads indented code behind a quote as one block, without blank lines at its end", () => {
    expect(found("> ~~~\n    a\n\n    b\n       \n\nText.\n")).toEqual([
      ["", 1, 1],
      ["a\n\nb", 2, 4],
    ]);
  });
});
