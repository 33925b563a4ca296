import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { spansOfLines } from "./spans-of-lines.ts";

const python = { language: "python", file: "a.py" };

describe("spans of a code file", () => {
  test("a function is one span with the blank lines inside of it; small blocks are joined", () => {
    const body = Array.from({ length: 10 }, (_, index) => `    x${index} = ${index}`);
    const text = [
      "import os",
      "",
      "LIMIT = 3",
      "",
      "def first():",
      ...body,
      "",
      "    return 1",
      "",
      "def second():",
      ...body,
      "",
    ].join("\n");
    expect(spansOfLines(text, python).map((span) => span.locator)).toEqual([
      { file: "a.py", line_from: 1, line_to: 17 },
      { file: "a.py", line_from: 19, line_to: 29 },
    ]);
  });

  test("a class of 150 lines is cut at blank lines, and no span has more than 60", () => {
    const method = (name: number) => [`    def m${name}(self):`, ...Array(18).fill("        pass"), ""];
    const text = ["class A:", ...Array.from({ length: 7 }, (_, index) => method(index)).flat()].join("\n");
    const spans = spansOfLines(text, python);
    expect(spans.map(({ start, end }) => text.slice(start, end).split("\n").length)).toEqual([60, 59, 19]);
    for (const { start } of spans.slice(1)) expect(text.slice(start)).toMatch(/^ {4}def m/);
  });

  test("one line of a million characters is cut, and stays on its line", () => {
    const text = `a\n${"😀x".repeat(10_000)}`;
    const spans = spansOfLines(text, { language: "json" });
    expect(spans.length).toBeGreaterThan(3);
    expect(spans.map(({ start, end }) => text.slice(start, end)).join("")).toBe(text);
    expect(spans.at(-1)?.locator).toEqual({ line_from: 2, line_to: 2 });
  });

  test("for any text: in order, apart, tearing no pair, each line that is not blank in exactly one span", () => {
    const line = fc.oneof(
      fc.constantFrom("", "", "  ", "}", "def f():", "    return", "\treturn", "😀", "\uD83D", "end"),
      fc.string({ maxLength: 12 }).map((value) => value.replaceAll(/[\r\n]/g, "")),
    );
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 80 }),
        fc.constantFrom("\n", "\r\n", "\r"),
        fc.integer({ min: 1, max: 20 }),
        (lines, ending, maxLines) => {
          const text = lines.join(ending);
          const spans = spansOfLines(text, { language: null, maxLines });
          const covered = new Map<number, number>();
          let end = 0;
          for (const span of spans) {
            expect(span.start).toBeGreaterThanOrEqual(end);
            expect(span.end).toBeGreaterThan(span.start);
            end = span.end;
            const { line_from: from = 0, line_to: to = 0 } = span.locator;
            expect(to - from + 1).toBeLessThanOrEqual(Math.max(maxLines, 1));
            for (let at = from; at <= to; at += 1) covered.set(at, (covered.get(at) ?? 0) + 1);
            expect(text.slice(span.start, span.end)).toBe(lines.slice(from - 1, to).join(ending));
          }
          for (const [index, content] of lines.entries()) {
            if (content.trim() !== "") expect(covered.get(index + 1)).toBe(1);
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});
