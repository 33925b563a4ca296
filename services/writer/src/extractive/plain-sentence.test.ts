import { describe, expect, it } from "vitest";
import { plainSentence, sentenceKey } from "./plain-sentence.ts";

describe("plainSentence", () => {
  it.each<[string, string | null]>([
    ["A **bold** and *slanted* and __strong__ word.", "A bold and slanted and strong word."],
    ['See [the docs](https://x.dev/a_(b) "T") for it.', "See the docs for it."],
    ["See [the docs][1] for it.", "See the docs for it."],
    ["It differs.[4]", "It differs."],
    ["Shown by others \\[ 2\\] and [3, 4] before.", "Shown by others and before."],
    ["A note[^note] here.", "A note here."],
    ["The `a*b*c` and `x[1]` stay.", "The `a*b*c` and `x[1]` stay."],
    ["Lines\nare   joined.", "Lines are joined."],
    ["It costs $5 or $6.", "It costs \\$5 or \\$6."],
    ["A snake_case_name stays.", "A snake_case_name stays."],
    ["It is 2 * 3 here.", null],
    ["An ![image](x.png) here.", null],
    ["Visit https://x.dev now.", null],
    ["A <b>tag</b> here.", null],
    ["An `open code.", null],
    ["Open **bold.", null],
    ["Ends with \\", null],
  ])("makes %j readable or refuses it", (text, expected) => {
    expect(plainSentence(text)).toBe(expected);
  });

  it("knows a sentence again whatever its markup, markers and spacing", () => {
    expect(sentenceKey("A `cached` result,\n**fast**. [S4]")).toBe(sentenceKey("A cached result, fast."));
  });
});
