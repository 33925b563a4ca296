import {
  criticEvaluateArticle,
  executeSandboxTests,
  extractAndValidateCode,
  fixCodeSnippets,
  type OutputOf,
  refineAndSaveArticle,
  verifyCitations,
} from "@proofroom/contracts";
import { stepIdOf } from "@proofroom/runtime/records";
import type { Walk } from "./walk.ts";

type Verdict = OutputOf<typeof criticEvaluateArticle>;

/**
 * Measures the article as it stands: its code first, since a repair changes the text; then its citations; then
 * the critic, who counts on both. Null while one of them is missing.
 */
function evaluate(walk: Walk, round: number): Verdict | null {
  const code = walk.step(extractAndValidateCode, { round });
  if (code === null) return null;
  if (code.total_snippets > 0) {
    const ran = walk.step(executeSandboxTests, { round });
    if (ran === null) return null;
    if (ran.failed > 0 || code.invalid_syntax_count > 0) {
      if (walk.step(fixCodeSnippets, { round }) === null) return null;
    }
  }
  if (walk.step(verifyCitations, { round }) === null) return null;
  return walk.step(criticEvaluateArticle, { round });
}

/** Ids of all steps that the rounds can have: those that write again what steps before them have read. */
export function roundSteps(maxRounds: number): ReadonlyMap<string, number | null> {
  const measures = [
    extractAndValidateCode,
    executeSandboxTests,
    fixCodeSnippets,
    verifyCitations,
    criticEvaluateArticle,
  ];
  const steps = new Map<string, number | null>();
  for (let round = 0; round <= maxRounds; round += 1) {
    steps.set(stepIdOf(refineAndSaveArticle, { round }), null);
    for (const capability of measures) steps.set(stepIdOf(capability, { round }), round);
  }
  return steps;
}

/**
 * Evaluation and refinement in turn. Refinement runs once at least, since an approved article can still carry
 * required revisions; then until the article is approved, the rounds are used up, or a round changed nothing.
 */
export function refineUntilApproved(walk: Walk, maxRounds: number): Verdict | null {
  let verdict = evaluate(walk, 0);
  for (let round = 1; verdict !== null; round += 1) {
    const refined = walk.step(refineAndSaveArticle, { round });
    if (refined === null) return null;
    for (const sentence of refined.removed ?? []) {
      walk.note(
        `Taken out of a person's text, since no source that it cites says it: “${sentence}” It stands in the history of article.md.`,
      );
    }
    if (!refined.changed) return verdict;
    verdict = evaluate(walk, round);
    if (verdict?.status === "APPROVED" || round === maxRounds) return verdict;
  }
  return null;
}
