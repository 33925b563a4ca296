import type { Outline, OutlineSection } from "@proofroom/contracts";
import { jaccard, terms } from "@proofroom/evidence";
import { type ChosenCode, chooseCode } from "./choose-code.ts";
import type { EvidenceBase } from "./evidence-base.ts";
import { type Bearing, bearings, introduces, shareOf } from "./relevance.ts";
import { isSummaryTitle } from "./subject.ts";
import type { Unit, UnitSentence } from "./units.ts";
import { UsedText } from "./used-text.ts";

/** A unit in its place: the sentences of it that are printed, for the key point they answer. */
export interface Placed {
  unit: Unit;
  sentences: readonly UnitSentence[];
  /** Position of the key point; -1 for the section as a whole. */
  point: number;
  value: number;
  /** Whether it answers the key point well enough to say that it is covered. */
  covers: boolean;
}

export interface SectionPlan {
  section: OutlineSection;
  placed: Placed[];
  code: ChosenCode[];
  words: number;
  /** Whether anything bears on the section, fitting or not. */
  hasEvidence: boolean;
}

export interface ArticlePlan {
  sections: SectionPlan[];
  /** The sentences of the executive summary: used nowhere else. */
  summary: Placed[];
}

export interface PlanOptions {
  /** Sentences that stand in the article already. */
  used?: UsedText;
  /** Code that stands in the article already. */
  usedCode?: readonly string[];
  /** Words left out of each section's budget, by section id; its heading is always left out. */
  spent?: ReadonlyMap<string, number>;
  withSummary?: boolean;
}

/** The part of a budget that is filled: close below it, so that no way of counting finds it exceeded. */
const fill = 0.95;
const enough = 0.88;

interface Draft extends SectionPlan {
  budget: number;
  open: Bearing[];
  /** Key points that a sentence covers; those that have got their best sentence. */
  covered: Set<number>;
  tried: Set<number>;
  bySource: Map<string, number>;
  likeness: Map<Unit, number>;
}

/**
 * Assigns sentences and code of the evidence to the sections of an outline, each at most once in the article. The
 * same outline and evidence give the same plan wherever it is made, so sections can be drafted apart.
 */
export function planArticle(outline: Outline, base: EvidenceBase, options: PlanOptions = {}): ArticlePlan {
  const used = options.used ?? new UsedText();
  const drafts = outline.sections.map((section): Draft => {
    const heading = section.title.split(/\s+/).length;
    const budget = section.target_word_count * fill - heading - (options.spent?.get(section.section_id) ?? 0);
    const open = bearings(section, outline.title, base);
    return {
      section,
      placed: [],
      code: [],
      words: 0,
      hasEvidence: open.length > 0,
      budget,
      open,
      covered: new Set(),
      tried: new Set(),
      bySource: new Map(),
      likeness: new Map(),
    };
  });
  coverKeyPoints(drafts, base, used);
  const summary = options.withSummary === true ? planSummary(outline, base, used) : [];
  fillBudgets(drafts, base, used);
  chooseCode(drafts, base, options.usedCode ?? []);
  return { sections: drafts, summary };
}

/** The best answer to each key point first; where two sections want a unit, it goes where it answers best. */
function coverKeyPoints(drafts: readonly Draft[], base: EvidenceBase, used: UsedText): void {
  const claims = drafts.flatMap((draft, order) =>
    draft.open
      .filter(({ point }) => point >= 0 && point < draft.section.key_points.length)
      .map((bearing) => ({ ...bearing, draft, order, rank: bearing.value + (bearing.covers ? 1 : 0) })),
  );
  claims.sort((a, b) => b.rank - a.rank || a.order - b.order || a.point - b.point || a.unit.id - b.unit.id);
  for (const claim of claims) {
    if (!claim.draft.tried.has(claim.point)) place(claim.draft, claim, base, used);
  }
}

/** Then whichever section is emptiest takes its best remaining unit, until budgets or evidence are used up. */
function fillBudgets(drafts: readonly Draft[], base: EvidenceBase, used: UsedText): void {
  const active = new Set(drafts);
  while (active.size > 0) {
    let next: Draft | undefined;
    for (const draft of active) {
      if (next === undefined || draft.words / draft.budget < next.words / next.budget) next = draft;
    }
    if (next === undefined) return;
    if (next.words >= next.budget * enough || !placeBest(next, base, used)) active.delete(next);
  }
}

function placeBest(draft: Draft, base: EvidenceBase, used: UsedText): boolean {
  while (draft.open.length > 0) {
    const missing = missingTerms(draft, base);
    let top: { value: number; at: number } | undefined;
    for (const [at, bearing] of draft.open.entries()) {
      const value = preference(draft, bearing, missing, base);
      if (top === undefined || value > top.value) top = { value, at };
    }
    if (top === undefined || top.value <= 0) return false;
    const [bearing] = draft.open.splice(top.at, 1);
    if (bearing !== undefined && place(draft, bearing, base, used)) return true;
  }
  return false;
}

/** The words of key points that no sentence of the section answers and none of them has yet. */
function missingTerms({ section, covered, placed }: Draft, base: EvidenceBase): ReadonlySet<string> {
  const missing = new Set(
    section.key_points.flatMap((text, point) => (covered.has(point) ? [] : terms(text))),
  );
  for (const sentence of placed.flatMap(({ sentences }) => sentences)) {
    for (const term of base.termsOf(sentence)) missing.delete(term);
  }
  return missing;
}

/**
 * Relevance, less likeness to what is chosen and weight of its source; more where it continues a chosen unit or
 * speaks of what key points still lack.
 */
function preference(
  draft: Draft,
  { unit, value }: Bearing,
  missing: ReadonlySet<string>,
  base: EvidenceBase,
): number {
  const share = draft.words === 0 ? 0 : (draft.bySource.get(unit.sourceId) ?? 0) / draft.words;
  const continues = draft.placed.some(
    (other) =>
      other.unit.sourceId === unit.sourceId &&
      other.unit.block === unit.block &&
      Math.abs(other.unit.id - unit.id) === 1,
  );
  const [opener] = unit.sentences;
  const adds = opener === undefined ? 0 : shareOf(missing, base.termsOf(opener));
  const likeness = draft.likeness.get(unit) ?? 0;
  return value - 0.35 * likeness - 0.08 * share + (continues ? 0.12 : 0) + 0.3 * adds;
}

/** Places a unit if it fits: with the sentences that lean on its opener as far as the budget goes. */
function place(draft: Draft, bearing: Bearing, base: EvidenceBase, used: UsedText): boolean {
  const sentences: UnitSentence[] = [];
  let words = 0;
  for (const sentence of bearing.unit.sentences) {
    if (draft.words + words + sentence.words > draft.budget) break;
    if (used.has(base.keyOf(sentence), base.termsOf(sentence))) break;
    sentences.push(sentence);
    words += sentence.words;
  }
  if (sentences.length === 0) return false;
  for (const sentence of sentences) used.add(base.keyOf(sentence), base.termsOf(sentence));
  const { unit, point, value, covers } = bearing;
  draft.placed.push({ unit, sentences, point, value, covers });
  draft.words += words;
  draft.bySource.set(bearing.unit.sourceId, (draft.bySource.get(bearing.unit.sourceId) ?? 0) + words);
  for (const other of draft.open) {
    if (other.unit === bearing.unit && other.covers) {
      draft.covered.add(other.point);
      draft.tried.add(other.point);
    }
    const like = Math.max(...sentences.map((sentence) => likeness(sentence, other.unit, base)));
    if (like > (draft.likeness.get(other.unit) ?? 0)) draft.likeness.set(other.unit, like);
  }
  if (covers) draft.covered.add(point);
  draft.tried.add(point);
  return true;
}

function likeness(sentence: UnitSentence, unit: Unit, base: EvidenceBase): number {
  const opener = unit.sentences[0];
  return opener === undefined ? 0 : jaccard(base.termsOf(sentence), base.termsOf(opener));
}

/** Two or three sentences on the article's subject, those that say what it is first, from as many sources as may be. */
function planSummary(outline: Outline, base: EvidenceBase, used: UsedText): Placed[] {
  if (outline.sections.some(({ title }) => isSummaryTitle(title))) return [];
  const opening = introduces(outline.title, base);
  const wide = [outline.title, ...outline.sections.map(({ title }) => title)].join(" ");
  const candidates = [
    ...base.retriever.search(outline.title, { limit: 60, floor: 0.5, diversity: 0.2 }),
    ...base.retriever.search(wide, { limit: 30, floor: 0.25, diversity: 0.2 }),
  ]
    .flatMap(({ item, coverage }): Placed[] => {
      const unit = base.unitAt(item.sourceId, item.start);
      const opener = unit?.sentences[0];
      if (unit === undefined || opener === undefined || opener.passage.start !== item.start) return [];
      if (opener.words < 10 || opener.words > 40) return [];
      return [{ unit, sentences: [opener], point: -1, value: coverage + opening(unit), covers: false }];
    })
    .sort((a, b) => b.value - a.value);
  const chosen: Placed[] = [];
  const trial = used.copy();
  for (const perSource of [1, 2]) {
    for (const placed of candidates) {
      const [opener] = placed.sentences;
      if (opener === undefined || chosen.length === 3 || chosen.includes(placed)) continue;
      if (chosen.filter(({ unit }) => unit.sourceId === placed.unit.sourceId).length >= perSource) continue;
      if (trial.has(base.keyOf(opener), base.termsOf(opener))) continue;
      trial.add(base.keyOf(opener), base.termsOf(opener));
      chosen.push(placed);
    }
  }
  if (chosen.length < 2) return [];
  for (const { sentences } of chosen) {
    for (const sentence of sentences) used.add(base.keyOf(sentence), base.termsOf(sentence));
  }
  return chosen;
}
