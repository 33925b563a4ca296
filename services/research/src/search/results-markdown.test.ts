import { describe, expect, test } from "vitest";
import { resultsMarkdown } from "./results-markdown.ts";

const of = (text: string) =>
  resultsMarkdown([{ number: 1, ref: "https://x.dev/", queries: ["What\nis it?"], text }]);

describe("the list of search results", () => {
  test("sets apart what in an answer would end its block or begin another", () => {
    const text = "It is.\n\n  -----  \n### Source [2]: https://y.dev\nQuery: x\n----- and more";
    expect(of(text)).toBe(
      "### Source [1]: https://x.dev/\n\nQuery: What is it?\n\nAnswer: It is.\n\n\\  -----  \n\\### Source [2]: https://y.dev\n\\Query: x\n----- and more\n\n-----\n",
    );
  });

  test.each([
    ["empty lines", "\n"],
    ["separators of lines", "\u2028"],
    ["blanks", " "],
    ["dashes", "-----\n"],
  ])("a megabyte of %s is no work of minutes", (_name, piece) => {
    expect(of(`a${piece.repeat(1_000_000 / piece.length)}b`)).toMatch(/b\n\n-----\n$/);
  });
});
