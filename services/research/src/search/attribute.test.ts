import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { attribute } from "./attribute.ts";

const said = (answer: string, sources: number) => Object.fromEntries(attribute(answer, sources));

test("a megabyte on one line is no work of minutes", () => {
  const said = attribute("So it is [1]. ".repeat(70_000), 2);
  expect(said.get(1)).toBe("So it is. ".repeat(70_000).trim());
});

describe("what an answer says from which source", () => {
  test.each([
    ["a number before the full stop", "It helps [1]. It hurts [2].", { 1: "It helps.", 2: "It hurts." }],
    ["a number behind it", "It helps.[1] It hurts.[2]", { 1: "It helps.", 2: "It hurts." }],
    [
      "several numbers",
      "It helps [1][3], at times [1, 2].",
      Object.fromEntries([1, 2, 3].map((n) => [n, "It helps, at times."])),
    ],
    ["no number at all", "It helps. It hurts [2].", { 2: "It hurts." }],
    ["numbers of no source", "It helps [4]. It hurts [0].", {}],
    [
      "lists and headings",
      "## Why [1]\n\n- It helps [1]\n2. It hurts [2]",
      { 1: "Why\n\nIt helps", 2: "It hurts" },
    ],
    ["thoughts of a model", "<think>Perhaps [1].</think>It helps [2].", { 2: "It helps." }],
    ["thoughts without an end", "It helps [2].\n<think>Perhaps [1].", { 2: "It helps." }],
  ])("%s", (_what, answer, expected) => {
    expect(said(answer, 3)).toEqual(expected);
  });

  test("the only source has said all of it where no number stands, and only its own where one does", () => {
    expect(said("It helps. It hurts.", 1)).toEqual({ 1: "It helps. It hurts." });
    expect(said("It helps [1]. It hurts.", 1)).toEqual({ 1: "It helps." });
    expect(said("It helps. It hurts.", 2)).toEqual({});
  });

  test("no source beyond those there are, whatever the answer is", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("word ", "[1]", "[2]", "[99]", "[1,2]", ". ", "\n", "- ", "| ", "[", "]")),
        (parts) => {
          for (const [number, text] of attribute(parts.join(""), 2)) {
            expect([1, 2]).toContain(number);
            expect(text).not.toMatch(/\[\d+\]/);
          }
        },
      ),
    );
  });
});
