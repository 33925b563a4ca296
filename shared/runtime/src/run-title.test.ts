import { describe, expect, it } from "vitest";
import { runTitle, titleOfGuideline } from "./run-title.ts";

describe("a run's title", () => {
  it.each([
    ["is cut where it is endless", "A".repeat(1_000_000), "A".repeat(200)],
    ["is never cut in half of a character", `${"A".repeat(199)}😀`, `${"A".repeat(199)}\ufffd`],
    ["steers no terminal", "\u202eA\u202c \u001b[2J\u0007b\nc", "A [2J b c"],
    ["keeps the joiners that scripts need", "می\u200cخواهم 👩\u200d🔬", "می\u200cخواهم 👩\u200d🔬"],
    ["is never empty", "\u0000 \u202e", "Untitled"],
  ])("%s", (_name, title, short) => {
    expect(runTitle(title)).toBe(short);
    expect(runTitle(short)).toBe(short);
  });

  it.each([
    ["# On queues\n", "On queues"],
    ["Some words.\r\n\r\n## On queues ##\r\n", "On queues"],
    ["   # C#\n# Second\n", "C#"],
    ["#hashtag\n    # code\n", "Untitled"],
    ["# #\n", "Untitled"],
  ])("of the guideline %j is %j", (guideline, title) => {
    expect(titleOfGuideline(guideline)).toBe(title);
  });
});
