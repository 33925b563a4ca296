import type { CitationReport, Critique, RequiredRevision, RunOptions } from "@proofroom/contracts";
import { type BlockState, mustRun } from "./code.ts";
import type { Repetition } from "./repeated.ts";
import { type MeasuredSection, sectionAt } from "./sections.ts";
import type { StructureDefect } from "./structure.ts";

type SectionMeasurement = Critique["measurements"]["sections"][number];

export interface Defects {
  sections: readonly MeasuredSection[];
  measured: readonly SectionMeasurement[];
  /** Key points not covered, by section_id. */
  missingPoints: ReadonlyMap<string, readonly string[]>;
  citations: CitationReport;
  blocks: readonly BlockState[];
  wantsCode: readonly string[];
  repetitions: readonly Repetition[];
  structure: readonly StructureDefect[];
  options: RunOptions;
}

/** A section may have so many words for each that was asked for … */
const overBudget = 1.25;
/** … and so few. */
const underBudget = 0.6;
/** A section with less than this of what was asked for says next to nothing, and an article with less than that is none. */
const emptyBelow = 0.2;
const articleBelow = 0.4;
/** So many statements without any citation make a section unfounded. */
const unfoundedFrom = 3;
/** Uncited sentences named per section: a list of all would hide the rest. */
const uncitedShown = 5;

/** What must be mended, blocking defects first, otherwise in the order of the article. */
export function requiredRevisions(defects: Defects): RequiredRevision[] {
  const all = [
    ...articleRevisions(defects),
    ...sectionRevisions(defects),
    ...codeRevisions(defects),
    ...citationRevisions(defects),
    ...uncitedRevisions(defects),
    ...defects.repetitions.map(({ sentence, line, firstLine }) =>
      revision(sectionAt(defects.sections, line), "repeated_text", {
        instruction: `Line ${line} says again what line ${firstLine} says: remove or replace the sentence.`,
        target: sentence,
      }),
    ),
    ...defects.structure.map(({ section, instruction, blocking }) =>
      revision(section, "structure", { instruction, blocking }),
    ),
  ];
  return [...all.filter(({ blocking }) => blocking), ...all.filter(({ blocking }) => !blocking)];
}

function revision(
  section: string,
  kind: RequiredRevision["kind"],
  rest: { instruction: string; blocking?: boolean; target?: string },
): RequiredRevision {
  return { section, kind, blocking: false, ...rest };
}

function articleRevisions({ measured }: Defects): RequiredRevision[] {
  const words = measured.reduce((sum, section) => sum + section.words, 0);
  const target = measured.reduce((sum, section) => sum + section.target, 0);
  if (words >= target * articleBelow) return [];
  const instruction = `The article has ${words} of about ${target} words: the sources do not carry what was asked for. Add sources, or ask for less.`;
  return [revision("article", "under_budget", { instruction, blocking: true })];
}

function sectionRevisions({ measured, missingPoints, wantsCode }: Defects): RequiredRevision[] {
  return measured.flatMap(({ section_id: id, title, present, words, target }) => {
    if (!present) {
      const instruction = `Write the section “${title}”, about ${target} words, which the article does not have.`;
      return [revision(id, "missing_section", { instruction, blocking: true })];
    }
    const found: RequiredRevision[] = [];
    if (isOver(words, target)) {
      const instruction = `Cut the section “${title}” from ${words} words to about ${target}.`;
      found.push(revision(id, "over_budget", { instruction }));
    }
    if (isUnder(words, target)) {
      const empty = words < target * emptyBelow;
      const instruction = empty
        ? `The section “${title}” says next to nothing (${words} of about ${target} words): add sources on it, or take it out of the outline.`
        : `Extend the section “${title}” from ${words} words to about ${target}, as far as the sources allow.`;
      found.push(revision(id, "under_budget", { instruction, blocking: empty }));
    }
    for (const point of missingPoints.get(id) ?? []) {
      const instruction = `Cover the key point “${point}” in the section “${title}” with cited sentences.`;
      found.push(revision(id, "missing_key_point", { instruction, target: point }));
    }
    if (wantsCode.includes(id)) {
      const instruction = `Add a code example to the section “${title}”, as the outline asks.`;
      found.push(revision(id, "structure", { instruction }));
    }
    return found;
  });
}

export function isOver(words: number, target: number): boolean {
  return words > target * overBudget;
}

export function isUnder(words: number, target: number): boolean {
  return words < target * underBudget;
}

function codeRevisions({ blocks, sections, options }: Defects): RequiredRevision[] {
  return blocks.flatMap((block) => {
    const section = sectionAt(sections, block.line);
    const target = block.id === null ? {} : { target: block.id };
    if (block.credit === 0) {
      const instruction = `Repair the block of code at line ${block.line}: it ${block.detail}.`;
      return [revision(section, "failing_code", { instruction, blocking: true, ...target })];
    }
    if (!mustRun(block, options)) return [];
    const instruction = `Run the block of code at line ${block.line}, as this run requires: so far it was not (${block.detail}).`;
    return [revision(section, "code_not_run", { instruction, blocking: true, ...target })];
  });
}

function citationRevisions({ citations, sections }: Defects): RequiredRevision[] {
  return citations.citations.flatMap(({ verdict, sentence, line, reasons }) => {
    const section = sectionAt(sections, line);
    const why = reasons.join(" ");
    if (verdict === "unsupported") {
      const instruction = `Line ${line}: what this sentence cites does not say so. ${why} Correct it by the source, cite another one, or remove it.`;
      return [revision(section, "unsupported_citation", { instruction, blocking: true, target: sentence })];
    }
    if (verdict === "unresolved") {
      const instruction = `Line ${line}: this citation leads to no stored source. ${why} Cite a source that is there, or remove the sentence.`;
      return [revision(section, "unresolved_citation", { instruction, blocking: true, target: sentence })];
    }
    return [];
  });
}

function uncitedRevisions(defects: Defects): RequiredRevision[] {
  const { citations, sections } = defects;
  const bySection = Map.groupBy(citations.uncited, ({ line }) => sectionAt(sections, line));
  const nothingCited = citations.citations.length === 0 && citations.uncited.length > 0;
  const found = [...bySection].flatMap(([section, uncited]) =>
    uncited.slice(0, uncitedShown).map(({ sentence, line }, at) => {
      const more = at === uncitedShown - 1 && uncited.length > uncitedShown;
      const rest = more ? ` ${uncited.length - uncitedShown} more in this section cite nothing.` : "";
      const instruction = `Line ${line}: cite a source for this sentence, or remove it.${rest}`;
      return revision(section, "uncited_claim", { instruction, target: sentence });
    }),
  );
  if (!nothingCited) return [...unfoundedSections(bySection, defects), ...found];
  const instruction = "Cite the sources: no sentence of the article has a citation.";
  return [revision("article", "uncited_claim", { instruction, blocking: true }), ...found];
}

/** Sections that state several things and cite nothing at all: a score over the whole article would hide them. */
function unfoundedSections(
  uncited: ReadonlyMap<string, CitationReport["uncited"]>,
  { citations, sections }: Defects,
): RequiredRevision[] {
  const founded = new Set(citations.citations.map(({ line }) => sectionAt(sections, line)));
  return [...uncited].flatMap(([section, sentences]) => {
    if (section === "article" || founded.has(section) || sentences.length < unfoundedFrom) return [];
    const instruction = `Cite the sources in this section: none of its ${sentences.length} statements has a citation.`;
    return [revision(section, "uncited_claim", { instruction, blocking: true })];
  });
}
