import { type CitationReport, type Critique, categoryMaxima } from "@proofroom/contracts";
import { type BlockState, codePoints } from "./code.ts";
import type { MeasuredSection } from "./sections.ts";

export interface Measured {
  sections: readonly MeasuredSection[];
  /** Sections of the outline that the article has, with text. */
  present: number;
  keyPoints: number;
  keyPointsCovered: number;
  distinctSources: number;
  sourcesAvailable: number;
  citations: CitationReport["summary"];
  blocks: readonly BlockState[];
  outlineWantsCode: boolean;
  /** Sections outside their word budget. */
  offBudget: number;
  repeated: number;
  /** Sum of the costs of all structural defects. */
  structureCost: number;
}

/** Sources that a well-founded article rests on, where so many are at hand. */
const sourcesWanted = 3;

/**
 * The points of each category, from measurements alone:
 *
 * - technical_depth: 30 × (0.7 × key points covered by supported sentences + 0.3 × distinct sources cited with
 *   support, of three or as many as there are). Without key points, coverage is 1 where anything is supported.
 * - code_quality: see `codePoints`.
 * - structure_clarity: 20, less 8 × share of sections missing, 4 × share of sections outside their word budget, one
 *   for each repeated sentence up to 4, and the costs of the structural defects.
 * - citation_fidelity: 20 × (supported + 0.5 × uncertain) / (cited + 0.5 × uncited), and 14 at the most while a
 *   citation is unsupported or unresolved.
 *
 * No category has a larger share of its points than the article has of the outline's sections: what is not there
 * earns nothing. Each formula falls, or stays, with every defect that is added.
 */
export function categoryScores(measured: Measured): Critique["category_scores"] {
  const total = Math.max(1, measured.sections.length);
  const share = measured.present / total;
  const cap = (points: number, most: number) => round(Math.min(Math.max(0, points), most * share));
  return {
    technical_depth: cap(depthPoints(measured), categoryMaxima.technical_depth),
    code_quality: cap(codePoints(measured.blocks, measured.outlineWantsCode), categoryMaxima.code_quality),
    structure_clarity: cap(
      20 -
        8 * (1 - share) -
        4 * (measured.offBudget / total) -
        Math.min(4, measured.repeated) -
        measured.structureCost,
      categoryMaxima.structure_clarity,
    ),
    citation_fidelity: cap(fidelityPoints(measured.citations), categoryMaxima.citation_fidelity),
  };
}

function depthPoints({ keyPoints, keyPointsCovered, citations, ...measured }: Measured): number {
  const coverage = keyPoints === 0 ? Math.min(1, citations.supported) : keyPointsCovered / keyPoints;
  const wanted = Math.max(1, Math.min(sourcesWanted, measured.sourcesAvailable));
  return 30 * (0.7 * coverage + 0.3 * Math.min(1, measured.distinctSources / wanted));
}

function fidelityPoints({ cited, uncited, supported, uncertain, ...bad }: CitationReport["summary"]): number {
  const weight = cited + 0.5 * uncited;
  if (weight === 0) return 0;
  const points = (20 * (supported + 0.5 * uncertain)) / weight;
  return Math.min(points, bad.unsupported + bad.unresolved > 0 ? 14 : 20);
}

export function overallScore(scores: Critique["category_scores"]): number {
  return round(Object.values(scores).reduce((sum, points) => sum + points, 0));
}

function round(points: number): number {
  return Math.round(points * 10) / 10;
}
