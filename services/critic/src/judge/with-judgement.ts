import type { Critique, RunOptions } from "@proofroom/contracts";
import { overallScore } from "../review/score.ts";
import type { Judgement } from "./ask-judge.ts";

/**
 * A critique with what a model makes of the article. Measurements cap what it may give, and what blocks is measured
 * alone: a model can ask for more, and never wave anything through.
 */
export function withJudgement(
  critique: Critique,
  { judgement, by }: { judgement: Judgement; by: string },
  options: Pick<RunOptions, "approve_at">,
): Critique {
  const measured = critique.category_scores;
  const scores = {
    ...measured,
    technical_depth: Math.min(measured.technical_depth, judgement.technical_depth),
    structure_clarity: Math.min(measured.structure_clarity, judgement.structure_clarity),
  };
  const overall = overallScore(scores);
  const blocked = critique.required_revisions.some(({ blocking }) => blocking);
  return {
    ...critique,
    overall_score: overall,
    status: overall >= options.approve_at && !blocked ? "APPROVED" : "REVISE",
    category_scores: scores,
    specific_critiques: [...critique.specific_critiques, ...new Set(judgement.critiques)],
    required_revisions: [
      ...critique.required_revisions,
      ...distinct(judgement.revisions).map(({ section_id, instruction }) => ({
        section: section_id,
        kind: "editorial" as const,
        blocking: false,
        instruction,
      })),
    ],
    judged_by: `${critique.judged_by} and ${by}`,
  };
}

/** Each revision once: models repeat themselves. */
function distinct(revisions: Judgement["revisions"]): Judgement["revisions"] {
  return [...new Map(revisions.map((one) => [JSON.stringify(one), one])).values()];
}
