import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extractFences, type Fence } from "./extract-fences.ts";
import { replaceFence } from "./replace-fence.ts";

const { cases } = JSON.parse(readFileSync(new URL("fixtures/fences.json", import.meta.url), "utf8")) as {
  cases: { id: string; markdown: string }[];
};

const codeLine = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "  x",
    "\tx",
    "x = 1",
    "```",
    "~~~",
    "````python",
    "``` js",
    "> quote",
    "- item",
    "1. one",
  ),
  fc.constantFrom(
    "# heading",
    "---",
    "    deep",
    " \t mixed ",
    "| a | b |",
    "<!--",
    "\u2028",
    "`",
    "   ```",
    "   ~~~~~",
  ),
  fc.string({ unit: "grapheme", maxLength: 8 }).map((text) => text.replace(/[\r\n\0]/g, "")),
);
const code = fc.array(codeLine, { maxLength: 6 }).map((lines) => lines.join("\n"));

/** A document of blocks in every kind of container, as lines with a prefix each. */
const container = fc.constantFrom(
  { first: "", next: "" },
  { first: "  ", next: "  " },
  { first: "- ", next: "  " },
  { first: "-\t", next: "\t" },
  { first: "12. ", next: "    " },
  { first: "> ", next: "> " },
  { first: ">", next: ">" },
  { first: "> - ", next: ">   " },
  { first: "- > ", next: "  > " },
  { first: "* 1. ", next: "     " },
  { first: ">\t", next: ">\t" },
);
const block = fc.record({
  container,
  fence: fc.constantFrom("```", "~~~", "````", "   ```"),
  info: fc.constantFrom("", "python", 'js title="a"', "markdown"),
  code: fc.constantFrom("", "a", "a\n\nb", "\tdef\n\t\tx", "# A\n\n~~~~ py\nin\n~~~~", "  lead"),
  lead: fc.boolean(),
  closed: fc.boolean(),
});
const article = fc
  .tuple(fc.array(block, { minLength: 1, maxLength: 4 }), fc.constantFrom("\n", "\r\n", "\r"), fc.boolean())
  .map(([blocks, eol, mark]) => {
    const lines = blocks.flatMap((one) => {
      const { first, next } = one.container;
      const body = [`${one.fence}${one.info}`, ...one.code.split("\n"), ...(one.closed ? [one.fence] : [])];
      const all = one.lead ? ["Lead:", "", ...body] : body;
      return [
        ...all.map((line, at) => (line === "" ? next.trimEnd() : (at === 0 ? first : next) + line)),
        "",
        "Text.",
        "",
      ];
    });
    return (mark ? "\ufeff" : "") + lines.join(eol);
  });

const others = (fences: Fence[], changed: Fence) =>
  fences
    .filter((one) => one.start_line < changed.start_line || one.start_line > changed.end_line)
    .filter((one) => one.end_line < changed.start_line || one.start_line > changed.end_line)
    .map(({ language, info, code: text, unclosed, indented, nested_in }) => ({
      language,
      info,
      text,
      unclosed,
      indented,
      nested_in,
    }));

function expectReplaced(markdown: string, fence: Fence, newCode: string): void {
  const written = replaceFence(markdown, fence, { code: newCode });
  const fences = extractFences(written);
  const changed = fences[fence.index - 1];
  expect(changed).toMatchObject({
    code: newCode,
    info: fence.info,
    start_line: fence.start_line,
    unclosed: false,
  });
  // A sample that was cut at a suspicious line may be read further once its fence has grown.
  if (fences.length > extractFences(markdown).length && fence.nested_in) return;
  expect(others(fences, changed as Fence)).toEqual(others(extractFences(markdown), fence));
}

describe("replaceFence", () => {
  it("gives the new code on reading again and leaves the other blocks, in any container", () => {
    fc.assert(
      fc.property(article, code, fc.nat(), (markdown, newCode, pick) => {
        const fences = extractFences(markdown).filter((fence) => !fence.indented);
        const fence = fences[pick % fences.length];
        fc.pre(fence !== undefined);
        expectReplaced(markdown, fence as Fence, newCode);
      }),
      { numRuns: 300, interruptAfterTimeLimit: 2_000 },
    );
  });

  it.each(cases.map((one) => [one.id, one.markdown] as const))(
    "rewrites each block of %s",
    (_id, markdown) => {
      for (const fence of extractFences(markdown).filter((one) => !one.indented)) {
        expectReplaced(markdown, fence, "first\n\n\tsecond\n  third");
      }
    },
  );

  it.each(cases.map((one) => [one.id, one.markdown] as const))(
    "changes no byte of %s by writing what stands",
    (_id, markdown) => {
      for (const fence of extractFences(markdown).filter((one) => !one.indented)) {
        expect(replaceFence(markdown, fence, {})).toBe(markdown);
      }
    },
  );

  it("keeps the rest of the opening line's bytes when only the code changes, and CRLF throughout", () => {
    const markdown = "- a\r\n\r\n  ``` py  title=x \r\n  old\r\n  ```  \r\nend";
    const [fence] = extractFences(markdown);
    expect(replaceFence(markdown, fence as Fence, { code: "new\n\nlast" })).toBe(
      "- a\r\n\r\n  ``` py  title=x \r\n  new\r\n\r\n  last\r\n  ```  \r\nend",
    );
  });

  it("takes tildes where the new info string holds a backtick", () => {
    const [fence] = extractFences("```py\n~~~\n```\n");
    const written = replaceFence("```py\n~~~\n```\n", fence as Fence, { info: "py title=`x`" });
    expect(written).toBe("~~~~py title=`x`\n~~~\n~~~~\n");
  });

  it("keeps an inner fence whole when a line like a fence is put into it", () => {
    const markdown = "```md\n~~~ py\na\n~~~\n\n```js\nb\n```\n";
    const inner = extractFences(markdown)[1] as Fence;
    const written = replaceFence(markdown, inner, { code: "``` sh" });
    expect(extractFences(written)[1]).toMatchObject({
      code: "``` sh",
      nested_in: "markdown",
      unclosed: false,
    });
  });

  it("refuses a block that has changed since, indented code, and an info string of two lines", () => {
    const [fence] = extractFences("```py\na\n```\n");
    expect(() => replaceFence("Text.\n\n```py\na\n```\n", fence as Fence, { code: "b" })).toThrow(
      /no longer/,
    );
    expect(() => replaceFence("```py\na\n```\n", fence as Fence, { info: "a\nb" })).toThrow(/one line/);
    const [indented] = extractFences("    a\n");
    expect(() => replaceFence("    a\n", indented as Fence, { code: "b" })).toThrow(/indentation/);
  });
});
