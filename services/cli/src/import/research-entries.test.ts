import { describe, expect, it } from "vitest";
import { researchEntries } from "./research-entries.ts";

const entry = (summary: string, body: string) =>
  `<details>\n<summary>${summary}</summary>\n\n${body}\n\n</details>\n`;
const page = (...entries: string[]) => `# Research\n\n## Additional Sources Scraped\n\n${entries.join("\n")}`;

describe("researchEntries", () => {
  it("files every entry under its section", () => {
    const text = [
      "# Research",
      "## Research Results",
      entry("a query", "### Source [1]: https://a.example"),
      "## Sources Scraped From Research Results",
      "_No scraped sources found._",
      "## Code Sources",
      entry("o_r", "digest"),
      "## YouTube Video Transcripts",
      entry("a video", "transcript"),
    ].join("\n\n");
    expect(researchEntries(text)).toEqual([
      { gatherer: "run_web_research", summary: "a query", body: "### Source [1]: https://a.example" },
      { gatherer: "process_github_urls", summary: "o_r", body: "digest" },
      { gatherer: "transcribe_youtube_urls", summary: "a video", body: "transcript" },
    ]);
  });

  it.each([
    ["a heading of the second rank", "one\n\n## Additional configurations\n\ntwo"],
    ["a heading named as a section of the file", "one\n\n## Code Sources\n\nare listed here\n\ntwo"],
    ["a fold", `one\n\n${entry("inner", "hidden")}\ntwo`],
    ["two folds in a row", `one\n\n${entry("inner", "a")}\n${entry("inner", "b")}\ntwo`],
    ["a fold at its end", `one\n\n${entry("inner", "hidden").trim()}`],
    ["a closing tag too many", "one\n\n</details>\n\ntwo"],
    ["five dashes", "one\n\n-----\n\ntwo"],
  ])("is not cut by %s in a body", (_name, body) => {
    const found = researchEntries(page(entry("first", body), entry("second", "other")));
    expect(found.map(({ summary }) => summary)).toEqual(["first", "second"]);
    expect(found[0]?.body).toBe(body);
  });

  it("loses no text where a body opens a fold and never closes it", () => {
    const found = researchEntries(page(entry("first", "<details>\n\nopen"), entry("second", "other")));
    expect(found.map(({ body }) => body).join("\n")).toContain("other");
  });

  it("reads the end of a file that was cut short", () => {
    expect(researchEntries(page("<details>\n<summary>t</summary>\n\nbody")).at(0)?.body).toBe("body");
  });
});
