import { describe, expect, it } from "vitest";
import { proseBlocks, wordCount } from "./prose-blocks.ts";

const texts = (markdown: string) => proseBlocks(markdown).map((block) => block.text);

describe("proseBlocks", () => {
  it("gives what a reader sees: no emphasis, no HTML, no images, links by their label", () => {
    expect(
      texts("Some *em*, **strong**, `co_de`, [link](http://x.y) ![alt](i.png)<br>and <b>bold</b>,\nwrapped."),
    ).toEqual(["Some em, strong, co_de, link and bold, wrapped."]);
  });

  it("keeps citation markers, also those that link syntax would swallow", () => {
    const markdown =
      "One [1][3], two [S4], three [2](http://x.y), four [1, 2].\n\n[1]: http://a.b\n[3]: http://c.d\n";
    expect(texts(markdown)).toEqual(["One [1][3], two [S4], three [2], four [1, 2]."]);
  });

  it("leaves code blocks, HTML blocks and front matter out", () => {
    expect(texts("---\na: b\n---\n\n```\ncode\n```\n\n    code\n\n<div>html</div>\n\nText.\n")).toEqual([
      "Text.",
    ]);
  });

  it("names kind, line and section of each block", () => {
    const markdown =
      "# Title\n\n## One\n\nPara.\n\n### Deep\n\n- item\n  1. inner\n\n> [!TIP]\n> Hint.\n\n| a | b |\n| - | - |\n| 1 | 2 |\n";
    expect(proseBlocks(markdown)).toEqual([
      { kind: "heading", text: "Title", line: 1, section: "Title" },
      { kind: "heading", text: "One", line: 3, section: "One" },
      { kind: "paragraph", text: "Para.", line: 5, section: "One" },
      { kind: "heading", text: "Deep", line: 7, section: "One" },
      { kind: "list_item", text: "item", line: 9, section: "One" },
      { kind: "list_item", text: "inner", line: 10, section: "One" },
      { kind: "quote", text: "Hint.", line: 12, section: "One" },
      { kind: "table_row", text: "a | b", line: 15, section: "One" },
      { kind: "table_row", text: "1 | 2", line: 17, section: "One" },
    ]);
  });

  it("does not read approximate figures as strikethrough", () => {
    expect(texts("Between 5~10 and 20~30, but ~~gone~~.")).toEqual(["Between 5~10 and 20~30, but gone."]);
  });
});

describe("wordCount", () => {
  it("counts words of prose and neither code blocks, markers nor punctuation", () => {
    expect(wordCount("Five words – stand right here [1][S2].\n\n```\nnot these\n```\n")).toBe(5);
    expect(wordCount("")).toBe(0);
  });
});
