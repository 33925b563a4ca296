import type { StepRecord } from "@proofroom/contracts";
import { describe, expect, it } from "vitest";
import { isStale, type Standing } from "./freshness.ts";

const hash = "0".repeat(64);

const record: StepRecord = {
  v: 1,
  step_id: "verify_citations",
  generation: 1,
  capability: "verify_citations",
  step_key: hash,
  input_sha256: hash,
  reads: [{ name: "article.md", version: 2, sha256: hash }],
  writes: [],
  output: {},
  started_at: new Date(0).toISOString(),
  finished_at: new Date(0).toISOString(),
};

/** Authors stand for what they are to the step; `self` and `person` speak for themselves. */
function staleAfter(...authors: (Standing | "self" | "person")[]): boolean {
  const signed = authors.map((author) =>
    author === "person" ? author : `${author === "self" ? record.step_id : author}.g1`,
  );
  return isStale(record, new Map([["article.md@2", signed]]), (step) => step as Standing);
}

describe("a finished step", () => {
  it.each([
    ["nothing has followed what it read", []],
    ["it wrote over its own input", ["self"]],
    ["a step after it wrote over its input", ["after"]],
    ["a person changed what a later step had written", ["after", "person"]],
    ["a person changed what it had written itself", ["self", "person"]],
    ["a step that measures with it repaired the text", ["beside"]],
  ] as const)("stands where %s", (_name, authors) => {
    expect(staleAfter(...authors)).toBe(false);
  });

  it.each([
    ["a person changed what it read", ["person"]],
    ["a tool outside the plan changed what it read", ["outside"]],
    ["a step before it wrote again", ["before"]],
    [
      "a step before it wrote again, after later steps had written over its input",
      ["after", "after", "before"],
    ],
    ["a step before it wrote again after its own text", ["self", "before"]],
    ["a person changed the text after a repair of the same round", ["beside", "person"]],
  ] as const)("is stale where %s", (_name, authors) => {
    expect(staleAfter(...authors)).toBe(true);
  });
});
