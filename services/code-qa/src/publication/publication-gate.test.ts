import type { CitationReport, Critique, RequiredRevision } from "@proofroom/contracts";
import { describe, expect, it } from "vitest";
import { type Checks, judgePublication } from "./publication-gate.ts";

const sha = "a".repeat(64);

function checks(
  over: {
    status?: Critique["status"];
    revisions?: RequiredRevision[];
    uncertain?: string[];
    failures?: number;
    of?: string;
  } = {},
): Checks {
  const critique = {
    status: over.status ?? "APPROVED",
    overall_score: 70,
    required_revisions: over.revisions ?? [],
    article_sha256: over.of ?? sha,
  };
  const citations = {
    article_sha256: over.of ?? sha,
    citations: (over.uncertain ?? []).map((sentence, at) => ({
      verdict: "uncertain",
      sentence,
      line: at + 3,
      reasons: ["The evidence does not say “always” there."],
    })),
    summary: { uncertain: over.uncertain?.length ?? 0, uncited: 0 },
  };
  return {
    articleSha256: sha,
    critique: critique as unknown as Critique,
    citations: citations as unknown as CitationReport,
    failures: over.failures ?? 0,
  };
}

const revision = (instruction: string, blocking: boolean): RequiredRevision => ({
  section: "article",
  kind: "editorial",
  blocking,
  instruction,
});

describe("publication", () => {
  it("approves what its checks have passed, with nothing to say where there is nothing", () => {
    expect(judgePublication(checks())).toEqual({ status: "approved", reasons: [] });
  });

  it("tells the reader of an approved article what is not quite right with it", () => {
    const { status, reasons } = judgePublication(
      checks({ uncertain: ["It always waits."], failures: 1, revisions: [revision("Extend it.", false)] }),
    );
    expect(status).toBe("approved");
    expect(reasons).toEqual([
      expect.stringContaining("1 source could not be had"),
      "Line 3 is not verified: “It always waits.” The evidence does not say “always” there.",
      "Extend it.",
    ]);
  });

  it("names some of many sentences that are not verified, and counts them all", () => {
    const { status, reasons } = judgePublication(
      checks({ uncertain: Array.from({ length: 8 }, (_, at) => `Sentence ${at}.`) }),
    );
    expect(status).toBe("approved");
    expect(reasons.filter((reason) => reason.includes("is not verified"))).toHaveLength(5);
    expect(reasons).toContain("8 citations are uncertain in all; the page marks each.");
  });

  it("says of a draft what keeps it from approval: the defects, or the score and what lowers it", () => {
    const defects = judgePublication(
      checks({ status: "REVISE", revisions: [revision("Mend it.", true), revision("Polish it.", false)] }),
    );
    expect(defects).toEqual({ status: "draft", reasons: ["Mend it."] });
    const low = judgePublication(checks({ status: "REVISE", revisions: [revision("Polish it.", false)] }));
    expect(low).toEqual({ status: "draft", reasons: [expect.stringContaining("70 of 100"), "Polish it."] });
  });

  it("takes no verdict on another text for one on this", () => {
    expect(judgePublication(checks({ of: "b".repeat(64) })).status).toBe("draft");
    expect(
      judgePublication({ articleSha256: sha, critique: null, citations: null, failures: 0 }).status,
    ).toBe("draft");
  });
});
