import { scrapeAndCleanOtherUrls } from "@proofroom/contracts";
import { describe, expect, test } from "vitest";
import { failureLines, noteLines, summaryOf } from "./step-summary.ts";

const failure = { ref: "https://x.dev/b", kind: "web_page", code: "refused", message: "It asks not to." };
const output = {
  status: "partial_success",
  requested: 3,
  gathered: 2,
  from_cache: 1,
  failed: 1,
  artifact: ".nova/gathered/scrape_and_clean_other_urls.json",
  failures: [failure],
  notes: [{ ref: "https://x.dev/*", message: "At least 9 pages were found.", remedy: "Raise it." }],
};

describe("what a step gathered", () => {
  test("is told in counts that add up, with its failures and its notes apart", () => {
    expect(summaryOf({ capability: scrapeAndCleanOtherUrls.name, output })).toBe(
      "2 of 3, 1 from the cache, 1 failed",
    );
    expect(failureLines({ output })).toEqual(["https://x.dev/b: It asks not to. (refused)"]);
    expect(noteLines({ output })).toEqual(["https://x.dev/*: At least 9 pages were found."]);
  });

  test("has no notes in the records of earlier versions", () => {
    const { notes: _notes, from_cache: _cached, ...earlier } = output;
    expect(summaryOf({ capability: scrapeAndCleanOtherUrls.name, output: earlier })).toBe("2 of 3, 1 failed");
    expect(noteLines({ output: earlier })).toEqual([]);
  });
});
