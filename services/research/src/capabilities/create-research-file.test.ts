import {
  createResearchFile,
  type Failure,
  gatheredArtifact,
  type Source,
  sourceIndexSchema,
} from "@proofroom/contracts";
import { numberCitations, parseReferences, renderReferences } from "@proofroom/evidence";
import { parseMarkdown } from "@proofroom/markdown";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { handleCreateResearchFile } from "./create-research-file.ts";
import { FakeStepContext } from "./fake-step-context.ts";
import { gatheredList, sourceArtifact, testSource } from "./test-source.ts";

type Run = Record<string, { sources: Source[]; failures?: Failure[] }>;

function contextOf(run: Run): FakeStepContext {
  const stored: Record<string, unknown> = {};
  for (const [capability, { sources, failures }] of Object.entries(run)) {
    stored[gatheredArtifact(capability)] = gatheredList(sources, failures);
    for (const source of sources) stored[sourceArtifact(source.ref)] = source;
  }
  return new FakeStepContext(createResearchFile, { stored });
}

async function created(run: Run) {
  const context = contextOf(run);
  const output = await handleCreateResearchFile({}, context);
  const index = sourceIndexSchema.parse(JSON.parse(context.stored.get(".nova/sources.json") ?? ""));
  return { output, index, research: context.stored.get("research.md") ?? "" };
}

const headings = (markdown: string) =>
  parseMarkdown(markdown).children.flatMap((node) =>
    node.type === "heading" ? [markdown.slice(node.position?.start.offset, node.position?.end.offset)] : [],
  );

const allHeadings = [
  "# Research",
  "## Not available",
  "## Research Results",
  "## Sources Scraped From Research Results",
  "## Code Sources",
  "## YouTube Video Transcripts",
  "## Additional Sources Scraped",
  "## Local Files",
];
const failure: Failure = {
  ref: "https://x.dev/gone",
  kind: "web_page",
  code: "not_found",
  message: "There is no such page (status 404).",
  remedy: "Check the address.",
};

describe("create_research_file", () => {
  test("numbers the sources in a fixed order and writes index and research.md", async () => {
    const local = testSource("notes.md", "# Notes\n\nThree words here.", {
      kind: "document",
      title: "Notes",
    });
    const page = testSource("https://x.dev/a", "Text of a.", { title: "A | b" });
    const code = testSource("https://github.com/o/r", "Digest.", { kind: "repository", title: "o/r" });
    const run: Run = {
      process_github_urls: { sources: [code] },
      scrape_and_clean_other_urls: { sources: [page], failures: [failure] },
      process_local_files: { sources: [local] },
    };
    const { output, index, research } = await created(run);
    expect(output).toEqual({ sources: 3, failures: 1, words: 8, artifact: "research.md" });
    expect(index.sources.map(({ id, ref, words }) => [id, ref, words])).toEqual([
      ["S1", "notes.md", 4],
      ["S2", "https://x.dev/a", 3],
      ["S3", "https://github.com/o/r", 1],
    ]);
    expect(index.failures).toEqual([failure]);
    expect(headings(research)).toEqual(allHeadings);
    expect(research).toContain("| S2 | web_page | A \\| b | https://x.dev/a | 3 |");
    expect(research).toContain(
      "- `not_found`: https://x.dev/gone (web_page). There is no such page (status 404).",
    );
    expect(research).toContain(
      "## Code Sources\n\n<details><summary>S3: o/r</summary>\n\n- Source: https://github.com/o/r\n\n> Digest.\n\n</details>",
    );
    expect(research).toContain("_No YouTube video transcripts found._");
    expect(research).not.toContain("2026-03-01");
    expect((await created(run)).research).toBe(research);
  });

  test("the same text or reference is one source, and the other references are noted", async () => {
    const { index, research } = await created({
      process_local_files: { sources: [testSource("a.md", "Same."), testSource("b.md", "Same.")] },
      scrape_research_urls: {
        sources: [testSource("a.md", "Other."), testSource("https://x.dev/", "Same.")],
      },
    });
    expect(index.sources.map(({ ref }) => ref)).toEqual(["a.md"]);
    expect(research).toContain("- Also at: b.md\n- Also at: https://x.dev/");
  });

  test("a site that has one DOI in all of its pages keeps each of them as its own source", async () => {
    const identifiers = { doi: "10.1000/abc" };
    const pages = ["guide", "about", "contact"].map((name) =>
      testSource(
        `https://x.dev/${name}`,
        `The page ${name} says: ${Array.from({ length: 60 }, (_, n) => `${name}${n}`).join(" ")}.`,
        { provenance: { identifiers } },
      ),
    );
    const { index } = await created({ scrape_and_clean_other_urls: { sources: pages } });
    expect(index.sources.map(({ ref, also_at }) => [ref, also_at])).toEqual(
      pages.map(({ ref }) => [ref, undefined]),
    );
  });

  test("a paper via arXiv, PMC, a search and its publisher is one source, cited with one number", async () => {
    const doi = "10.1000/abc";
    const withDoi = { provenance: { identifiers: { doi } } };
    const withAuthor = { provenance: { identifiers: { doi }, author: "Ada Byron", licence: "CC-BY-4.0" } };
    const abstract = "The abstract of the paper says that it holds.";
    const whole = `${abstract} And so on, in many more words than the abstract has.`;
    const sources = [
      testSource("https://arxiv.org/abs/2401.01234v2", abstract, withAuthor),
      testSource("https://pmc.ncbi.nlm.nih.gov/articles/PMC77/", whole, { ...withDoi, title: "main.pdf" }),
      testSource("https://x.dev/other", "Another page, which says that it does not hold."),
    ];
    const published = testSource("https://journal.dev/doi/full/10.1000/ABC", `${abstract} Log in for more.`);
    const found = testSource(`https://doi.org/${doi}`, `${whole} ${whole}`, { kind: "search_result" });
    const run = (order: (list: Source[]) => Source[]): Run => ({
      scrape_and_clean_other_urls: {
        sources: order(sources),
        failures: [{ ...failure, ref: `https://doi.org/${doi}` }],
      },
      run_web_research: { sources: [found] },
      scrape_research_urls: { sources: [published] },
    });
    const { index, research } = await created(run((list) => list));
    expect(index.sources.map(({ id, ref, sha256, also_at }) => [id, ref, sha256, also_at])).toEqual([
      [
        "S1",
        "https://doi.org/10.1000/abc",
        sources[1]?.sha256,
        [sources[0]?.ref, sources[1]?.ref, published.ref],
      ],
      ["S2", "https://x.dev/other", sources[2]?.sha256, undefined],
    ]);
    expect(index.failures).toEqual([]);
    expect(index.sources[0]).toMatchObject({ title: sources[0]?.title, author: "Ada Byron" });
    expect(index.sources[0]?.licence).toBeUndefined();
    expect(research).toContain(
      "- Source: https://doi.org/10.1000/abc\n- Also at: https://arxiv.org/abs/2401.01234v2\n",
    );
    const { markdown, references } = numberCitations("It holds [S1], or not [S2]. It does [S1].", index);
    expect(markdown).toBe("It holds [1], or not [2]. It does [1].");
    expect(renderReferences(references)).toMatch(/^1\. .*https:\/\/doi\.org.*\n2\. .*x\.dev.*$/);
    const byHand = sources.map(({ ref }, at) => `${at + 1}. [A](${ref})`).join("\n");
    const read = parseReferences(`# A\n\n## References\n\n${byHand}\n`, index);
    expect(read.map(({ source_id }) => source_id)).toEqual(["S1", "S1", "S2"]);

    const reversed = await created(run((list) => list.toReversed()));
    expect(reversed.index.sources.map(({ id, ref, sha256 }) => [id, ref, sha256])).toEqual([
      ["S1", "https://x.dev/other", sources[2]?.sha256],
      ["S2", "https://doi.org/10.1000/abc", sources[1]?.sha256],
    ]);
  });

  test("a survey that lists papers, a repository and two articles of one site stay what they are", async () => {
    const cited = [1, 2, 3].map((n) => `- DOI: 10.1000/${n}`).join("\n");
    const home = { canonical_url: "https://x.dev/" };
    const sources = [
      testSource("https://journal.dev/1", "The first paper.", {
        provenance: { identifiers: { doi: "10.1000/1" } },
      }),
      testSource("https://x.dev/survey", `A survey of these:\n\n${cited}`, { provenance: home }),
      testSource("https://x.dev/about", "About those who made it.", { provenance: home }),
      testSource("https://github.com/o/r", "Its code.", {
        kind: "repository",
        provenance: { identifiers: { doi: "10.1000/1" } },
      }),
    ];
    const { index } = await created({ scrape_and_clean_other_urls: { sources } });
    expect(index.sources.map(({ ref }) => ref)).toEqual(sources.map(({ ref }) => ref));
  });

  test("says who made a source and what one may do with it, in the index and in research.md", async () => {
    const attribution = {
      author: "Ada & Co | <b>",
      publisher: "Acme",
      published: "2026-01-02",
      licence: "CC-BY-4.0",
      licence_url: "https://creativecommons.org/licenses/by/4.0/",
      copyright: "© 2026 Acme",
    };
    const source = testSource("https://x.dev/a", "Text.", { provenance: attribution });
    const { index, research } = await created({ scrape_and_clean_other_urls: { sources: [source] } });
    expect(index.sources[0]).toMatchObject(attribution);
    expect(research).toContain(
      "- By: Ada \\& Co \\| &lt;b&gt;\n- Publisher: Acme\n- Published: 2026-01-02\n",
    );
    expect(research).toContain(
      "- Licence: CC-BY-4.0, https://creativecommons.org/licenses/by/4.0/\n- Copyright: © 2026 Acme\n",
    );
  });

  test("counts what was asked for by what became of it, and tells notes apart from failures", async () => {
    const page = (name: string, text: string) => testSource(`https://x.dev/${name}`, text);
    const cached = testSource("https://x.dev/a", "Text of a.", { provenance: { from_cache: true } });
    const list = gatheredList([cached, page("b", "Same."), page("c", "Same.")], [failure]);
    const [first, ...others] = list.sources;
    const note = { ref: "https://x.dev/*", message: "At least 9 pages <were> found.", remedy: "Raise it." };
    const stored: Record<string, unknown> = {
      [gatheredArtifact("scrape_and_clean_other_urls")]: {
        ...list,
        sources: [{ ...first, from_cache: true }, ...others],
        notes: [note],
      },
    };
    for (const source of [cached, page("b", "Same."), page("c", "Same.")])
      stored[sourceArtifact(source.ref)] = source;
    const context = new FakeStepContext(createResearchFile, { stored });
    await expect(handleCreateResearchFile({}, context)).resolves.toMatchObject({ sources: 2, failures: 1 });
    const research = context.stored.get("research.md") ?? "";
    expect(research).toContain(
      "\nReferences: 4, of them 2 read (1 from the cache), 1 the same as others, 1 not available.\n",
    );
    expect(research).toContain(
      "\n## Notes\n\n- https://x.dev/\\*: At least 9 pages &lt;were&gt; found. Raise it.\n",
    );
    expect(research).toContain("- From the cache; fetched 2026-03-01T12:00:00.000Z\n");
  });

  test("what failed in one place but was had in another is no failure", async () => {
    const { index } = await created({
      scrape_and_clean_other_urls: { sources: [testSource("https://x.dev/a", "A.")], failures: [failure] },
      scrape_research_urls: { sources: [testSource(failure.ref, "Here after all.")] },
    });
    expect(index.failures).toEqual([]);
  });

  test.each([
    ["a closing fold", "</details>\n\n## Not available\n\n<details><summary>S9: forged</summary>"],
    ["headings", "# Research\n\n## Code Sources\n\nSetext\n===\n"],
    ["an open fence", "```python\nprint(1)\n"],
    ["an open comment", "text <!-- and no end"],
    ["an open script", "<script>\n\nx"],
    ["other line ends", "a\r## Code Sources\r\n## Local Files\u2028## Local Files"],
    ["an indented start", "    code\n\n\t# tab"],
  ])("%s in a text does not break the structure", async (_name, text) => {
    const { research } = await created({
      scrape_and_clean_other_urls: {
        sources: [testSource("https://x.dev/1", text), testSource("https://x.dev/2", "After.")],
      },
    });
    expect(headings(research)).toEqual(allHeadings);
    expect(research.match(/^<details>/gm)).toHaveLength(2);
    expect(research.match(/<\/details/gi)).toHaveLength(2);
    expect(research).not.toMatch(/<!--|<script/i);
  });

  test("no text, title or reference whatever breaks the structure", async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "</details>",
        "<details>",
        "</summary>",
        "# ",
        "## Local Files",
        "\n",
        "\r",
        "```",
        "~~~",
        "> ",
        "    ",
        "|",
        "<!--",
        "`",
        "[S1]: x",
        "---",
        "\t",
        "\u0085",
      ),
      fc.string({ unit: "binary", maxLength: 8 }),
    );
    const text = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(text, text, text, async (body, title, ref) => {
        const source = testSource(`r${ref.toWellFormed()}`, body, { title: `t${title.toWellFormed()}` });
        const { research } = await created({
          process_local_files: { sources: [source], failures: [{ ...failure, ref: title }] },
        });
        expect(headings(research)).toEqual(allHeadings);
        expect(research.match(/<details/gi)).toHaveLength(1);
        expect(research.match(/<\/details/gi)).toHaveLength(1);
      }),
      { numRuns: 100 },
    );
  });

  test("no source at all is an error of one line, with counts by reason", async () => {
    const away = [2, 3].map((n): Failure => ({ ...failure, ref: `https://x.dev/${n}`, code: "unreachable" }));
    const context = contextOf({ scrape_and_clean_other_urls: { sources: [], failures: [failure, ...away] } });
    await expect(handleCreateResearchFile({}, context)).rejects.toMatchObject({
      code: "no_evidence",
      message: "No evidence was gathered: all 3 sources failed (2 unreachable, 1 not found).",
    });
    expect(context.stored.has("research.md")).toBe(false);
    await expect(handleCreateResearchFile({}, contextOf({}))).rejects.toThrow(/names no source/);
  });
});
