import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { joinLines, normaliseSource, splitLines } from "./source-text.ts";

describe("splitLines", () => {
  it("loses nothing: joined lines are the text, and no line holds a line ending", () => {
    const text = fc
      .array(fc.constantFrom("a", "\n", "\r", "\r\n", "\u2028", "\f", " "))
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, (value) => {
        const lines = splitLines(value);
        expect(joinLines(lines)).toBe(value);
        expect(lines.every((line) => !/[\r\n]/.test(line.text))).toBe(true);
      }),
    );
  });
});

describe("normaliseSource", () => {
  it("drops the byte-order mark and makes every line ending LF", () => {
    expect(normaliseSource("\ufeffa\r\nb\rc\n")).toBe("a\nb\nc\n");
  });

  it("blanks front matter and keeps the line count", () => {
    expect(normaliseSource("\ufeff--- \r\ntitle: x\r\n---\t\r\ntext")).toBe("\n\n\ntext");
  });

  it("leaves an opening --- that is never closed, and one that is not on line 1", () => {
    expect(normaliseSource("---\ntitle: x\n")).toBe("---\ntitle: x\n");
    expect(normaliseSource("\n---\na\n---\n")).toBe("\n---\na\n---\n");
    expect(normaliseSource("----\na\n---\n")).toBe("----\na\n---\n");
  });
});
