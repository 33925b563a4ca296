import { extractFences } from "@proofroom/markdown";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchesOutput, outputBlocks } from "./expected-output.ts";

const code = "```python\nprint(1)\n```\n";
const output = "```text\n1\n```\n";

function isOutput(between: string, language = "text", source = code): boolean {
  const markdown = `${source}\n${between}\n\n${output.replace("text", language)}`;
  return outputBlocks(markdown, extractFences(markdown)).get(2) === 1;
}

describe("which blocks show output", () => {
  test.each([
    "Output:",
    "**Output**",
    "_The expected output is:_",
    "console output",
    "Results:",
    "The result is",
    "It prints:",
    "This outputs",
    "which will print:",
    "Prints:",
    "> Output:",
    "OUTPUT →",
  ])("%j announces it", (text) => {
    expect(isOutput(text)).toBe(true);
  });

  test.each([
    "",
    "## Output",
    "Output of the server:",
    "The outputs are",
    "It will be printed",
    "Output:\n\nNote this:",
    "| Output |\n| --- |",
  ])("%j does not", (text) => {
    expect(isOutput(text)).toBe(false);
  });

  test.each([
    ["", true],
    ["output", true],
    ["json", false],
    ["console", false],
  ])("a block of language %j: %s", (language, expected) => {
    expect(isOutput("Output:", language)).toBe(expected);
  });

  test("what follows a transcript, JSON or another output is no output block", () => {
    expect(isOutput("Output:", "text", "```python\n>>> 1\n1\n```\n")).toBe(false);
    expect(isOutput("Output:", "text", "```json\n1\n```\n")).toBe(false);
    const markdown = `${code}\nOutput:\n\n${output}\nOutput:\n\n${output}`;
    expect([...outputBlocks(markdown, extractFences(markdown)).keys()]).toEqual([2]);
  });

  test("inside a list item the label is found behind its indentation", () => {
    const markdown =
      "1. Run:\n    ```python\n    print(1)\n    ```\n    It outputs:\n    ```text\n    1\n    ```\n";
    expect(outputBlocks(markdown, extractFences(markdown))).toEqual(new Map([[2, 1]]));
  });
});

describe("comparing output", () => {
  test.each([
    ["a\nb", "a  \nb\n\n\n", true],
    ["a\n...\nd", "a\nb\nc\nd\n", true],
    ["a\n…", "a\n", true],
    ["...\nb\n...\nb", "b\nx\nb\n", true],
    ["a\nb", "a\n\nb\n", false],
    ["a", " a\n", false],
    ["a ...", "a b\n", false],
    ["", "x\n", false],
  ])("%j and %j: %s", (shown, actual, expected) => {
    expect(matchesOutput(shown, actual)).toBe(expected);
  });

  const lines = fc.array(fc.constantFrom("a", "b", "", "c d"), { maxLength: 8 });

  test("any output is what it is, and any cut of it may be an ellipsis", () => {
    fc.assert(
      fc.property(lines, fc.nat(8), fc.nat(8), (before, one, other) => {
        // A last line with text, since blank ones at the end do not count.
        const text = [...before, "end"];
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const actual = text.join("\n");
        expect(matchesOutput(actual, actual)).toBe(true);
        expect(matchesOutput([...text.slice(0, from), "...", ...text.slice(to)].join("\n"), actual)).toBe(
          true,
        );
      }),
    );
  });
});
