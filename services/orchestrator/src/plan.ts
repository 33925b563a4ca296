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
import { type PlannedStep, startWalk, type Walk } from "./walk.ts";

/** How a run ends, before it has a date. */
export type PlannedOutcome =
  | { status: "succeeded"; article: "approved" | "draft"; reasons: string[] }
  | { status: "failed"; step: string; error: PublicError };

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

function research(walk: Walk): boolean {
  const found = walk.step(extractGuidelinesUrls, {});
  if (found === null) return false;
  if (walk.stage(gatherers(found)) === null) return false;
  return walk.step(createResearchFile, {}) !== null;
}

function draft(walk: Walk): boolean {
  const outline = walk.step(generateArticleOutline, {});
  if (outline === null) return false;
  const sections = outline.sections.map(({ section_id }) => ({
    capability: draftArticleSection,
    input: { section_id },
  }));
  if (walk.stage(sections) === null) return false;
  return walk.step(refineAndSaveArticle, { round: 0 }) !== null;
}

function publish(walk: Walk, state: LedgerState): OutputOf<typeof exportPublicationBundle> | null {
  const { allow_draft, max_rounds } = state.manifest.options;
  if (refineUntilApproved(walk, max_rounds) === null) return null;
  return walk.step(exportPublicationBundle, { allow_draft });
}

/**
 * What a run needs next: the steps that are missing, or, with none missing, how it ends. A pure function of the
 * ledger. Steps that are under way count as missing; submitting them again changes nothing.
 */
export function planRun(state: LedgerState, successors: Successors): Plan {
  const walk = startWalk(state, successors, roundSteps(state.manifest.options.max_rounds));
  const gathered = state.manifest.plan === "from_research" || research(walk);
  const published = gathered && draft(walk) ? publish(walk, state) : null;
  if (published !== null) {
    return {
      kind: "outcome",
      outcome: { status: "succeeded", article: published.status, reasons: published.reasons },
    };
  }
  const [failure] = walk.failures;
  if (walk.missing.length === 0 && failure !== undefined) {
    return { kind: "outcome", outcome: { status: "failed", step: failure.stepId, error: failure.error } };
  }
  return { kind: "steps", steps: walk.missing };
}
