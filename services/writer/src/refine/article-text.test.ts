import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keyOf, removeSentences, sentencesOf } from "./article-text.ts";

const article = `## Queues

A queue stores jobs. [S1] It keeps them until a worker is done. [S1] Workers run the jobs in parallel. [S2]

- First item of a list is here. [S1]
- Second item of a list is here. [S2]

\`\`\`python
text = "A queue stores jobs."
\`\`\`

Only sentence of its paragraph. [S3]

Last words.
`;

const without = (target: string, mayDrop = true) =>
  removeSentences(
    article,
    ({ key }) => key === keyOf(target),
    () => mayDrop,
  ).markdown;

describe("removeSentences", () => {
  it("takes out one sentence with its marker and leaves the others in place", () => {
    expect(without("Workers run the jobs in parallel.")).toBe(
      article.replace(" Workers run the jobs in parallel. [S2]", ""),
    );
  });

  it("takes out what leans on it, unless that may not go", () => {
    expect(without("A queue stores jobs.")).toContain("\n\nWorkers run the jobs in parallel. [S2]\n");
    expect(without("A queue stores jobs.", false)).toContain("\n\nIt keeps them until");
  });

  it("leaves no empty paragraph and no empty list item", () => {
    expect(without("Only sentence of its paragraph.")).toContain("```\n\nLast words.\n");
    expect(without("First item of a list is here.")).toContain("[S2]\n\n- Second item");
  });

  it("leaves no mark of an empty quote, which would take in what stands behind it", () => {
    const { markdown } = removeSentences(
      "## Queues\n\nFirst words.\n\n> The only sentence of a quote. [S1]\n\n## Workers\n\nLast words.\n",
      ({ key }) => key === keyOf("The only sentence of a quote."),
      () => true,
    );
    expect(markdown).toBe("## Queues\n\nFirst words.\n\n## Workers\n\nLast words.\n");
  });

  it.each([
    ["> It stays.\n>\n> It goes.\n\n## Workers\n", "> It stays.\n>\n> \n\n## Workers\n"],
    ["> It goes.\n>\n> It stays.\n", "> \n>\n> It stays.\n"],
    ["> - It goes.\n\n## Workers\n", "> \n\n## Workers\n"],
    ["- It stays.\n- It goes.\n\nWorkers.\n", "- It stays.\n\nWorkers.\n"],
    ["- It stays.\n  - It goes.\n- Workers.\n", "- It stays.\n- Workers.\n"],
    ["- It stays.\n\n  It goes.\n\nWorkers.\n", "- It stays.\n\nWorkers.\n"],
  ])("lets nothing run into what stood around it: %j", (before, after) => {
    const gone = removeSentences(
      before,
      ({ key }) => key === keyOf("It goes."),
      () => false,
    );
    expect(gone.markdown).toBe(after);
  });

  it("does not touch code that says the same", () => {
    expect(without("A queue stores jobs.")).toContain('text = "A queue stores jobs."');
  });

  it("cuts at the right places behind front matter, a byte-order mark and CRLF", () => {
    const windows = `\ufeff---\r\ntitle: x\r\n---\r\n${article.replaceAll("\n", "\r\n")}`;
    const { markdown } = removeSentences(
      windows,
      ({ key }) => key === keyOf("Workers run the jobs in parallel."),
      () => true,
    );
    expect(markdown).toBe(windows.replace(" Workers run the jobs in parallel. [S2]", ""));
  });

  it("knows a sentence that cites a range by its words", () => {
    expect(keyOf("A queue stores jobs [1–3].")).toBe(keyOf("A queue stores jobs."));
  });

  it("knows a sentence by its words, whatever its markup", () => {
    expect(keyOf("A `queue` stores **jobs**. [S1] [2]")).toBe(keyOf("A queue stores jobs."));
    expect(keyOf("See [the docs](https://x.dev) now.")).toBe(keyOf("See the docs now."));
  });

  it("removes whole sentences only, whichever they are", () => {
    const all = sentencesOf(article);
    fc.assert(
      fc.property(fc.subarray(all), (gone) => {
        const starts = new Set(gone.map(({ start }) => start));
        const { markdown, removed } = removeSentences(
          article,
          ({ start }) => starts.has(start),
          () => false,
        );
        expect(removed.map(({ text }) => text)).toEqual(gone.map(({ text }) => text));
        const left = sentencesOf(markdown).map(({ text }) => text);
        expect(left).toEqual(all.filter((s) => !starts.has(s.start)).map(({ text }) => text));
      }),
    );
  });
});
