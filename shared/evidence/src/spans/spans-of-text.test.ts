import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { spansOfText } from "./spans-of-text.ts";

describe("spans of plain text", () => {
  test("blocks between blank lines, with their lines", () => {
    const text = "one\ntwo\n\n  \nthree\n";
    expect(spansOfText(text)).toEqual([
      { start: 0, end: 7, kind: "prose", locator: { line_from: 1, line_to: 2 } },
      { start: 12, end: 17, kind: "prose", locator: { line_from: 5, line_to: 5 } },
    ]);
  });

  test("titles of reStructuredText are the headings, their marks the levels", () => {
    const text =
      "=====\nGuide\n=====\n\nIntro.\n\nUse\n===\nTight.\n\nMore\n----\n\nDeep.\n\nEnd\n===\n\nLast.\n";
    expect(
      spansOfText(text).map((span) => [text.slice(span.start, span.end), span.locator.headings]),
    ).toEqual([
      ["Intro.", ["Guide"]],
      ["Tight.", ["Guide", "Use"]],
      ["Deep.", ["Guide", "Use", "More"]],
      ["Last.", ["Guide", "End"]],
    ]);
  });

  test("a literal block is code with its language, a rule between texts is no title", () => {
    const text =
      "Run this::\n\n    make all\n\n.. code-block:: Python\n\n    import os\n\n    os.sep\n\nDone.\n\n-----\n";
    const spans = spansOfText(text);
    expect(spans.map((span) => [span.kind, span.language])).toEqual([
      ["prose", undefined],
      ["code", null],
      ["prose", undefined],
      ["code", "python"],
      ["code", "python"],
      ["prose", undefined],
      ["prose", undefined],
    ]);
    expect(spans[1]?.locator.headings).toBeUndefined();
  });

  test("for any text: in order, apart, and every line that is no title is kept", () => {
    const line = fc.oneof(fc.constantFrom("", " ", "😀", "====", "::"), fc.string({ maxLength: 9 }));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
        const text = lines.join("\n").replaceAll("\r", "");
        let end = 0;
        for (const span of spansOfText(text)) {
          expect(span.start).toBeGreaterThanOrEqual(end);
          expect(span.end).toBeGreaterThan(span.start);
          end = span.end;
        }
        expect(end).toBeLessThanOrEqual(text.length);
        if (!/[=\-~^"'`#*+._:]{3}/.test(text)) {
          const kept = spansOfText(text)
            .map((span) => text.slice(span.start, span.end))
            .join("");
          expect(kept.replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
        }
      }),
      { numRuns: 200 },
    );
  });
});
