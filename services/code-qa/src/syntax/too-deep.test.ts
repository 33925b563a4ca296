import { describe, expect, it } from "vitest";
import { blockNames } from "../run/block-names.ts";
import { createSyntaxChecker } from "./check-syntax.ts";

const signal = new AbortController().signal;
const checkSyntax = createSyntaxChecker(null);

describe("code on which a native parser runs out of stack", () => {
  it.each([
    ["brackets", "javascript", "[".repeat(30_000)],
    ["arrows", "javascript", `x=${"a=>".repeat(40_000)}1`],
    ["conditions", "javascript", `x=${"a?".repeat(40_000)}1${":1".repeat(40_000)}`],
    ["statements without a bracket", "javascript", "do ".repeat(40_000)],
    ["templates", "javascript", `${"`${".repeat(20_000)}1${"}`".repeat(20_000)}`],
    ["assignments", "javascript", `${"a=".repeat(40_000)}1`],
    ["constructors", "javascript", `${"new ".repeat(40_000)}A`],
    ["a chain", "javascript", `a${".b".repeat(400_000)}`],
    ["types", "typescript", `let x:${"A<".repeat(30_000)}B${">".repeat(30_000)}`],
    ["type operators", "typescript", `let x:${"keyof ".repeat(40_000)}A`],
    ["brackets that strings hide from a count of pairs", "javascript", `["]",`.repeat(30_000)],
  ])("is left unchecked, with the reason: %s", async (_name, language, code) => {
    const report = await checkSyntax(language, code, signal);
    expect(report).toMatchObject({ syntax: "unchecked", error: expect.stringContaining("deeply nested") });
    await expect(
      blockNames(language as "javascript", { code, transcript: false }, null, signal),
    ).resolves.toBeDefined();
  });

  it("is told from long code and long chains, which are checked", async () => {
    const chain = `a${".b".repeat(20_000)}`;
    const long = "function add(a, b) {\n  return a + b;\n}\n".repeat(300);
    for (const code of [chain, long])
      expect(await checkSyntax("javascript", code, signal)).toMatchObject({ syntax: "valid" });
    const names = await blockNames("javascript", { code: chain, transcript: false }, null, signal);
    expect([...names.read]).toEqual(["a"]);
  });
});
