import { sha256Of } from "@proofroom/artifacts";
import type {
  CitationReport,
  Critique,
  Outline,
  RunOptions,
  SnippetManifest,
  SnippetResult,
} from "@proofroom/contracts";
import {
  extractFences,
  isContentsHeading,
  isReferencesHeading,
  splitSections,
  wordCount,
} from "@proofroom/markdown";
import { type BlockState, measureCode } from "./code.ts";
import { specificCritiques } from "./critiques.ts";
import { missingKeyPoints } from "./key-points.ts";
import { findRepetitions } from "./repeated.ts";
import { isOver, isUnder, requiredRevisions } from "./revisions.ts";
import { categoryScores, overallScore } from "./score.ts";
import { type MeasuredSection, measureSections, sectionAt } from "./sections.ts";
import { structureDefects } from "./structure.ts";

export interface ReviewInput {
  article: string;
  outline: Outline;
  sourcesAvailable: number;
  /** Of this very article. */
  citations: CitationReport;
  /** Null where code was not extracted. */
  manifest: SnippetManifest | null;
  /** Null where code was not run. */
  results: readonly SnippetResult[] | null;
  options: RunOptions;
}

/**
 * Reviews an article by what can be measured: sections and word budgets against the outline, key points, citation
 * verdicts, results of the code, repetition, structure. APPROVED needs the run's `approve_at` and no blocking
 * defect: failing code, an unsupported or unresolved citation, a section or an article that cites nothing, a missing section, a text that
 * breaks off, or (where the run requires it) code that was not run. Deterministic; no model judges.
 */
export function reviewArticle(input: ReviewInput): Critique {
  const { article, outline, citations, options } = input;
  const sections = measureSections(article, outline);
  const blocks = measureCode(article, input.manifest, input.results);
  const repetitions = findRepetitions(citations);
  const structure = structureDefects(article, citations, sections);
  const missingPoints = new Map(
    sections.map(({ outline: { section_id, key_points } }) => {
      const here = citations.citations.filter(({ line }) => sectionAt(sections, line) === section_id);
      return [section_id, missingKeyPoints(key_points, here)];
    }),
  );
  const measurements = measure(input, sections, blocks, missingPoints, repetitions.length);
  const wantsCode = sections
    .filter(
      ({ outline: { include_code }, found }) => include_code && found !== null && !hasCode(found.markdown),
    )
    .map(({ outline: { section_id } }) => section_id);
  const scores = categoryScores({
    sections,
    present: measurements.sections.filter(({ present }) => present).length,
    keyPoints: sum(measurements.sections.map(({ key_points }) => key_points)),
    keyPointsCovered: sum(measurements.sections.map(({ key_points_covered }) => key_points_covered)),
    distinctSources: measurements.distinct_sources,
    sourcesAvailable: input.sourcesAvailable,
    citations: citations.summary,
    blocks,
    outlineWantsCode: outline.sections.some(({ include_code }) => include_code),
    offBudget: measurements.sections.filter(
      ({ present, words, target }) => present && (isOver(words, target) || isUnder(words, target)),
    ).length,
    repeated: repetitions.length,
    structureCost: sum(structure.map(({ cost }) => cost)),
  });
  const revisions = requiredRevisions({
    sections,
    measured: measurements.sections,
    missingPoints,
    citations,
    blocks,
    wantsCode,
    repetitions,
    structure,
    options,
  });
  const overall = overallScore(scores);
  const approved = overall >= options.approve_at && !revisions.some(({ blocking }) => blocking);
  return {
    overall_score: overall,
    status: approved ? "APPROVED" : "REVISE",
    category_scores: scores,
    specific_critiques: specificCritiques(measurements, missingPoints, blocks, structure),
    required_revisions: revisions,
    measurements,
    article_sha256: sha256Of(article),
    judged_by: "measurements",
  };
}

function measure(
  { article, sourcesAvailable, citations }: ReviewInput,
  sections: readonly MeasuredSection[],
  blocks: readonly BlockState[],
  missingPoints: ReadonlyMap<string, readonly string[]>,
  repeated: number,
): Critique["measurements"] {
  const supported = citations.citations.filter(({ verdict }) => verdict === "supported");
  // By the evidence that was found, not by the markers: a marker beside the right one supports nothing.
  const sourceIds = new Set(
    supported.flatMap(({ evidence }) =>
      evidence.filter(({ score }) => score >= 0.5).map(({ source_id }) => source_id),
    ),
  );
  const inState = (state: BlockState["state"]) => blocks.filter((block) => block.state === state).length;
  return {
    words: proseWords(article),
    sections: sections.map(({ outline, found, words }) => ({
      section_id: outline.section_id,
      title: outline.title,
      present: found !== null && (words > 0 || hasCode(found.markdown)),
      words,
      target: outline.target_word_count,
      key_points: outline.key_points.length,
      key_points_covered: outline.key_points.length - (missingPoints.get(outline.section_id)?.length ?? 0),
    })),
    distinct_sources: sourceIds.size,
    sources_available: sourcesAvailable,
    citations: citations.summary,
    code: {
      blocks: blocks.length,
      passed: inState("passed"),
      failed: inState("failed"),
      skipped: inState("skipped"),
      not_run: inState("not_run"),
      invalid_syntax: inState("invalid_syntax"),
    },
    repeated_sentences: repeated,
  };
}

/** Words of the article without its table of contents and its references. */
function proseWords(article: string): number {
  const text = splitSections(article).filter(
    ({ heading }) => !isContentsHeading(heading ?? "") && !isReferencesHeading(heading ?? ""),
  );
  return wordCount(text.map(({ markdown }) => markdown).join(""));
}

function hasCode(markdown: string): boolean {
  return extractFences(markdown).length > 0;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
