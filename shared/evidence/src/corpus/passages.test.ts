import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { spansOfMarkdown } from "../spans/spans-of-markdown.ts";
import type { CorpusSource } from "./load-corpus.ts";
import { passagesOf } from "./passages.ts";
import { blocksOfProse } from "./source-blocks.ts";

function source(text: string, spans = spansOfMarkdown(text)): CorpusSource {
  return { id: "S1", ref: "a.md", kind: "document", title: "A", words: 1, text, spans };
}

const page = `# Page

First sentence. Second one
over two lines.

- [x] An item of a list.
1. A numbered item.

> A quoted line.

## Deeper

[00:30] What a speaker says. More of it.

\`\`\`
Code. Not prose.
\`\`\`

| a | b |
| - | - |
`;

describe("passagesOf", () => {
  it("gives sentences without list marks, quote marks and timestamps, with the headings above them", () => {
    const found = [...passagesOf(source(page))].map((p) => [
      p.text,
      p.form,
      p.block,
      p.position,
      p.headings.join("/"),
    ]);
    expect(found).toEqual([
      ["First sentence.", "paragraph", 0, 0, "Page"],
      ["Second one\nover two lines.", "paragraph", 0, 1, "Page"],
      ["An item of a list.", "item", 1, 0, "Page"],
      ["A numbered item.", "item", 2, 0, "Page"],
      ["A quoted line.", "quote", 3, 0, "Page"],
      ["What a speaker says.", "paragraph", 4, 0, "Page/Deeper"],
      ["More of it.", "paragraph", 4, 1, "Page/Deeper"],
    ]);
  });

  it("reads a whole page in one span just so", () => {
    const whole = source(page, [{ start: 0, end: page.length, kind: "prose", locator: {} }]);
    expect([...passagesOf(whole)].map(({ text }) => text)).toEqual(
      [...passagesOf(source(page))].map(({ text }) => text),
    );
  });

  it("gives offsets into the source that are in order", () => {
    const line = fc.constantFrom(
      "# H",
      "- Item one.",
      "> Q.",
      "Text. More",
      "",
      "```",
      "| a |",
      "1) x",
      "---",
      "[1:02] Hi.",
      "    code",
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 25 }), (lines) => {
        const text = lines.join("\n");
        let last = 0;
        for (const block of blocksOfProse(text)) {
          expect(block.start).toBeGreaterThanOrEqual(last);
          last = block.end;
        }
        for (const passage of passagesOf(source(text))) {
          expect(text.slice(passage.start, passage.end)).toBe(passage.text);
        }
      }),
    );
  });
});
