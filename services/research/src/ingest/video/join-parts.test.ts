import { describe, expect, it } from "vitest";
import { joinParts } from "./join-parts.ts";

const before = [
  { seconds: 2_670, text: "First." },
  { seconds: 2_702, text: "It waits, then asks." },
];

describe("the parts of a transcript", () => {
  it("are joined as they are where the next begins behind the last line", () => {
    const next = [{ seconds: 2_703, text: "Next." }];
    expect(joinParts(before, next)).toEqual([...before, ...next]);
    expect(joinParts([], next)).toEqual(next);
    expect(joinParts(before, [])).toEqual(before);
  });

  it("hold a line once that ends one and begins the next, however it is written", () => {
    const next = [
      { seconds: 2_700, text: "it waits then asks" },
      { seconds: 2_725, text: "Next." },
    ];
    expect(joinParts(before, next)).toEqual([...before, { seconds: 2_725, text: "Next." }]);
  });

  it("never go back in time, and lose no line for it", () => {
    const next = [
      { seconds: 2_696, text: "It asks." },
      { seconds: 2_701, text: "And waits." },
      { seconds: 2_725, text: "Next." },
    ];
    expect(joinParts(before, next)).toEqual([
      ...before,
      { seconds: 2_702, text: "It asks." },
      { seconds: 2_702, text: "And waits." },
      { seconds: 2_725, text: "Next." },
    ]);
  });
});
