import { describe, expect, it } from "vitest";
import { shortTitle } from "./short-title.ts";

describe("a run's title", () => {
  it.each([
    ["is cut where it is endless", "A".repeat(1_000_000), "A".repeat(200)],
    ["is never cut in half of a character", `${"A".repeat(199)}😀`, `${"A".repeat(199)}\ufffd`],
    ["steers no terminal", "\u202eA\u202c \u001b[2J\u0007b\nc", "A [2J b c"],
    ["keeps the joiners that scripts need", "می\u200cخواهم 👩\u200d🔬", "می\u200cخواهم 👩\u200d🔬"],
    ["is never empty", "\u0000 \u202e", "Untitled"],
  ])("%s", (_name, title, short) => {
    expect(shortTitle(title)).toBe(short);
  });
});
