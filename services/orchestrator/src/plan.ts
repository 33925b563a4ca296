import {
  createResearchFile,
  draftArticleSection,
  exportPublicationBundle,
  extractGuidelinesUrls,
  generateArticleOutline,
  type OutputOf,
  type PublicError,
  processGithubUrls,
  processLocalFiles,
  refineAndSaveArticle,
  scrapeAndCleanOtherUrls,
  transcribeYoutubeUrls,
} from "@proofroom/contracts";
import type { LedgerState, Successors } from "@proofroom/runtime/records";
import { refineUntilApproved, roundSteps } from "./evaluate.ts";
import { searchForGaps, searchSteps } from "./search-rounds.ts";
import { type PlannedStep, startWalk, type Walk } from "./walk.ts";

/** How a run ends, before it has a date. */
export type PlannedOutcome =
  | { status: "succeeded"; article: "approved" | "draft"; reasons: string[] }
  | { status: "failed" | "waiting_budget"; step: string; error: PublicError };

export type Plan =
  | { kind: "steps"; steps: readonly PlannedStep[] }
  | { kind: "outcome"; outcome: PlannedOutcome };

/** Only the kinds of source that the guideline names; a job that has nothing to do helps nobody. */
function gatherers(found: OutputOf<typeof extractGuidelinesUrls>) {
  return [
    { capability: processLocalFiles, count: found.local_file_paths },
    { capability: scrapeAndCleanOtherUrls, count: found.other_urls },
    { capability: processGithubUrls, count: found.github_urls + found.git_urls },
    { capability: transcribeYoutubeUrls, count: found.youtube_videos_urls },
  ]
    .filter(({ count }) => count > 0)
    .map(({ capability }) => ({ capability, input: {} }));
}

function research(walk: Walk, searchRounds: number): boolean {
  const found = walk.step(extractGuidelinesUrls, {});
  if (found === null) return false;
  if (walk.stage(gatherers(found)) === null) return false;
  if (!searchForGaps(walk, searchRounds)) return false;
  return walk.step(createResearchFile, {}) !== null;
}

/** What no model wrote though models were asked: it was made from the evidence, which nobody must have to find out. */
function noteWithoutModel(
  walk: Walk,
  outline: OutputOf<typeof generateArticleOutline>,
  drafts: readonly OutputOf<typeof draftArticleSection>[],
): void {
  if (outline.reason !== undefined) walk.note(`The article was planned without a model. ${outline.reason}`);
  for (const [at, { reason }] of drafts.entries()) {
    if (reason === undefined) continue;
    const title = outline.sections[at]?.title ?? "";
    walk.note(
      `No draft that a model wrote of “${title}” could be used, so the section was taken from the sources word for word. ${reason}`,
    );
  }
}

function draft(walk: Walk): boolean {
  const outline = walk.step(generateArticleOutline, {});
  if (outline === null) return false;
  const sections = outline.sections.map(({ section_id }) => ({
    capability: draftArticleSection,
    input: { section_id },
  }));
  const drafts = walk.stage(sections);
  if (drafts === null) return false;
  noteWithoutModel(walk, outline, drafts);
  return walk.step(refineAndSaveArticle, { round: 0 }) !== null;
}

function publish(walk: Walk, state: LedgerState): OutputOf<typeof exportPublicationBundle> | null {
  const { allow_draft, max_rounds } = state.manifest.options;
  const verdict = refineUntilApproved(walk, max_rounds);
  if (verdict === null) return null;
  if (verdict.reason !== undefined) walk.note(`The article was evaluated without a model. ${verdict.reason}`);
  return walk.step(exportPublicationBundle, { allow_draft });
}

/** Of a replay, which fetches nothing: a step for which it would have to. */
function notGathered({ missing }: Walk): PlannedOutcome | null {
  const step = missing.find(
    ({ capability }) => capability.owner === "research" && capability.hints.openWorld,
  );
  if (step === undefined) return null;
  const message = `The replayed run has no result of ${step.capability.name}, and a replay fetches nothing.`;
  return { status: "failed", step: step.stepId, error: { code: "not_found", message } };
}

/**
 * What a run needs next: the steps that are missing, or, with none missing, how it ends. A pure function of the
 * ledger. Steps that are under way count as missing; submitting them again changes nothing.
 */
export function planRun(state: LedgerState, successors: Successors): Plan {
  const { plan, options } = state.manifest;
  const later = new Map([...searchSteps(state), ...roundSteps(options.max_rounds)]);
  const walk = startWalk(state, successors, later);
  const gathered = plan === "from_research" || research(walk, options.search_rounds);
  const published = gathered && draft(walk) ? publish(walk, state) : null;
  if (published !== null) {
    return {
      kind: "outcome",
      outcome: {
        status: "succeeded",
        article: published.status,
        reasons: [...published.reasons, ...walk.notes],
      },
    };
  }
  const [failure] = walk.failures;
  if (walk.missing.length === 0 && failure !== undefined) {
    // Nothing is wrong with a run whose money is spent.
    const status = failure.error.code === "budget" ? "waiting_budget" : "failed";
    return { kind: "outcome", outcome: { status, step: failure.stepId, error: failure.error } };
  }
  const lacking = state.manifest.replay_of === undefined ? null : notGathered(walk);
  return lacking === null ? { kind: "steps", steps: walk.missing } : { kind: "outcome", outcome: lacking };
}
