import { parseGuidelineReferences } from "@proofroom/evidence";
import { describe, expect, test } from "vitest";
import { refusedReference } from "./refused-reference.ts";

function failureOf(address: string) {
  const [rejected] = parseGuidelineReferences(`[x](${address})`).rejected;
  return rejected === undefined ? undefined : refusedReference(rejected.ref, rejected.reason);
}

describe("a reference of a guideline that is refused", () => {
  test("by ssh or git is a repository's, and its https address is told", () => {
    expect(failureOf("ssh://git@github.com/o/r.git")).toEqual({
      ref: "ssh://***@github.com/o/r.git",
      kind: "repository",
      code: "invalid_input",
      message: "Repositories are fetched by https, not by ssh or git.",
      remedy: "Give its https address: https://github.com/o/r.git",
    });
  });

  test("for the token in it says where that belongs, and does not repeat it", () => {
    const failure = failureOf("https://u:canary-2c8f@github.com/o/r");
    expect(failure).toMatchObject({ kind: "web_page", remedy: expect.stringContaining("GITHUB_TOKEN") });
    expect(JSON.stringify(failure)).not.toContain("canary-2c8f");
  });

  test("for another reason keeps that reason", () => {
    expect(failureOf("ftp://x.dev/a")).toEqual({
      ref: "ftp://x.dev/a",
      kind: "web_page",
      code: "invalid_input",
      message: "Only http and https addresses are fetched.",
    });
  });
});
