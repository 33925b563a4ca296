import type { SourceIndex } from "@proofroom/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { denumberCitations, numberCitations } from "./number.ts";
import { parseReferences, renderReferences } from "./references.ts";

function indexOf(refs: readonly (readonly [ref: string, title: string])[]): SourceIndex {
  return {
    v: 1,
    failures: [],
    sources: refs.map(([ref, title], position) => ({
      id: `S${position + 1}`,
      ref,
      title,
      kind: ref.startsWith("http") ? "web_page" : "document",
      artifact: `.nova/sources/${position}.json`,
      sha256: "0".repeat(64),
      words: 10,
    })),
  };
}

const index = indexOf([
  ["https://a.dev/x", "A"],
  ["https://b.dev/y", "B"],
  ["notes/c.md", "C"],
]);

describe("numberCitations", () => {
  test("numbers follow the first use, in every form of marker", () => {
    const { markdown, references } = numberCitations("One [S2]. Two [S3][S2]. Three [S1, S3].\n", index);
    expect(markdown).toBe("One [1]. Two [2][1]. Three [3][2].\n");
    expect(references).toEqual([
      { number: 1, source_id: "S2", ref: "https://b.dev/y", title: "B" },
      { number: 2, source_id: "S3", ref: "notes/c.md", title: "C" },
      { number: 3, source_id: "S1", ref: "https://a.dev/x", title: "A" },
    ]);
  });

  test("code, HTML and links are not touched", () => {
    const text = [
      "Text `x[S1]` and <i title='[S1]'>.",
      "",
      "```js",
      "a[S1]",
      "```",
      "",
      "    b[S9]",
      "",
      "- item",
      "  ```",
      "  [S7]",
      "  ```",
      "",
      "The [S3](https://aws.example/s3) store.",
      "",
    ].join("\n");
    expect(numberCitations(text, index)).toEqual({ markdown: text, references: [] });
  });

  test("unknown ids are refused and listed", () => {
    expect(() => numberCitations("See [S9] and [S2, S12] and [S0].", index)).toThrow(/S9, S12, S0/);
  });

  test("bracketed numbers that stood in the text cannot pass for citations", () => {
    const { markdown } = numberCitations("As shown [12] before [S1]. Kept \\[3] so, [2–4] too.", index);
    expect(markdown).toBe("As shown \\[12\\] before [1]. Kept \\[3] so, \\[2–4\\] too.");
    expect(denumberCitations(markdown, [{ number: 12, source_id: "S2" }])).toBe(
      "As shown \\[12\\] before [1]. Kept \\[3] so, \\[2–4\\] too.",
    );
  });

  test("numbers without a reference stay when going back", () => {
    expect(denumberCitations("A [1, 9]. B `[1]`.", [{ number: 1, source_id: "S5" }])).toBe(
      "A [S5][9]. B `[1]`.",
    );
  });
});

describe("references", () => {
  test("web addresses become links, paths become code", () => {
    expect(
      renderReferences([
        { number: 1, source_id: "S1", ref: "https://a.dev/x_(y)", title: "A [b] *c*\n# d" },
        { number: 2, source_id: "S2", ref: "src/a`b.py", title: "<script>" },
      ]),
    ).toBe("1. [A \\[b\\] \\*c\\* \\# d](https://a.dev/x\\_\\(y\\))\n2. \\<script\\> — ``src/a`b.py``");
  });

  test("an address that no stored source has points to none", () => {
    const article =
      "# T\n\n## References\n\n1. [A](https://a.dev/x)\n2. [Q](https://a.dev/X)\n3. nothing\n\n## Next\n\n4. [B](https://b.dev/y)\n";
    expect(parseReferences(article, index)).toEqual([
      { number: 1, source_id: "S1", ref: "https://a.dev/x", title: "A" },
      { number: 2, source_id: null, ref: "https://a.dev/X", title: "Q" },
      { number: 3, source_id: null, ref: "nothing", title: "nothing" },
    ]);
  });

  test("numbers are read as they are written", () => {
    const article = "## References\n\n3. [A](https://a.dev/x)\n7. `notes/c.md`\n";
    expect(parseReferences(article, index).map(({ number, source_id }) => [number, source_id])).toEqual([
      [3, "S1"],
      [7, "S3"],
    ]);
  });

  test("an article without a list of references has none", () => {
    expect(parseReferences("# T\n\nText [1].\n", index)).toEqual([]);
  });
});

test("number, render, parse and denumber lead back to where they started", () => {
  const hostile = fc.string({
    unit: fc.constantFrom(..."ab 1.-+#*_`[]()<>&;|~$^:/@!\\\"'é\n"),
    minLength: 1,
  });
  const title = hostile.filter((text) => text.trim() !== "");
  const url = fc
    .string({ unit: fc.constantFrom(..."abwww.1-_~()*$&;=%?#[]@!'|\\<>`"), maxLength: 20 })
    .map((path) => `https://x.dev/${path}`);
  const path = fc
    .string({ unit: fc.constantFrom(..."ab/._- `$*[]<&"), minLength: 1, maxLength: 12 })
    .filter((text) => text.trim() !== "");
  const corpus = fc.uniqueArray(fc.tuple(fc.oneof(url, path), title), {
    minLength: 1,
    maxLength: 5,
    selector: ([ref]) => ref,
  });
  fc.assert(
    fc.property(
      corpus,
      fc.array(fc.tuple(fc.constantFrom("Prose.", "`[S1]`", "x [4] y"), fc.nat(20)), { minLength: 1 }),
      (refs, parts) => {
        const drawn = indexOf(refs);
        const text = parts.map(([words, pick]) => `${words} [S${(pick % refs.length) + 1}]`).join("\n\n");
        const { markdown, references } = numberCitations(text, drawn);
        const article = `# T\n\n${markdown}\n\n## References\n\n${renderReferences(references)}\n`;
        const listed = parseReferences(article, drawn);
        expect(listed.map(({ number, source_id, ref }) => ({ number, source_id, ref }))).toEqual(
          references.map(({ number, source_id, ref }) => ({ number, source_id, ref })),
        );
        expect(listed.map((entry) => entry.title)).toEqual(
          references.map((entry) => entry.title.replace(/\s+/g, " ").trim()),
        );
        expect(denumberCitations(markdown, listed)).toBe(text.replaceAll("x [4] y", "x \\[4\\] y"));
      },
    ),
    { numRuns: 100 },
  );
});

test("line endings of other systems and a byte order mark do not shift what is code", () => {
  const text = "\ufeffA [S1].\r\n\r\nB `[S2]` C.\r\n\r\n```\r\n[S3]\r\n```\r\n";
  expect(numberCitations(text, index).markdown).toBe(text.replace("[S1]", "[1]"));
});
