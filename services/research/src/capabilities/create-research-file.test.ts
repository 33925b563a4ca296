import {
  createResearchFile,
  type Failure,
  gatheredArtifact,
  type Source,
  sourceIndexSchema,
} from "@proofroom/contracts";
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
    expect(research).toContain("- The same text at: b.md\n- The same text at: https://x.dev/");
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
