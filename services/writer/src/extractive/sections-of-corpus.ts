import type { GuidelineBrief } from "@proofroom/evidence";
import { terms } from "@proofroom/evidence";
import type { EvidenceBase } from "./evidence-base.ts";
import { isGeneric, subjectOf } from "./subject.ts";
import type { Unit } from "./units.ts";

type Section = GuidelineBrief["sections"][number];

const mostSections = 6;
/** A heading with fewer usable words below it makes no section. */
const leastWords = 40;

/** Headings that order a page or a repository and no subject. */
const furniture =
  /^(?:table of )?contents$|^(?:references?|bibliography|related|see also|further reading|resources|links|licen[sc]e|contributing|contributors|acknowledge?ments?|authors?|changelog|faqs?|appendix|notes?|footnotes?|about(?: the author)?|comments?|navigation|search|suggested|on this page|support|community|credits|citation|abstract|what['’]s next|tl;?dr|prerequisites)\b/i;

interface Group {
  title: string;
  sources: Set<string>;
  words: number;
  /** Mean of where its text begins in its sources, 0 to 1. */
  position: number;
  units: number;
  subheadings: Map<string, number>;
}

/**
 * Sections for an article without an outline: headings that recur in the sources or stand above the most text that
 * bears on the topic, in the order in which sources treat them. Never empty.
 */
export function sectionsOfCorpus(topic: string, base: EvidenceBase): Section[] {
  const relevant = new Set(
    base.retriever
      .search(topic, { limit: 400, floor: 0.08, diversity: 0 })
      .flatMap(({ item }) => base.unitAt(item.sourceId, item.start) ?? []),
  );
  const usable = relevant.size >= 10 ? base.units.filter((unit) => relevant.has(unit)) : base.units;
  const groups = groupsOf(usable, base);
  const ranked = groups
    .filter(({ words }) => words >= leastWords)
    .map((group) => ({ group, rank: group.sources.size * 1.5 + Math.log2(1 + group.words / leastWords) }))
    .sort((a, b) => b.rank - a.rank || a.group.position - b.group.position)
    .slice(0, mostSections)
    .map(({ group }) => group)
    .sort((a, b) => a.position - b.position);
  const found = ranked.map(({ title, subheadings }) => section(title, [...subheadings.keys()].slice(0, 3)));
  if (found.length > 0) return found;
  const titles = [
    ...new Set(usable.map(({ sourceId }) => base.corpus.byId.get(sourceId)?.title ?? sourceId)),
  ];
  const named = titles.slice(0, mostSections).map((title) => section(title, []));
  return named.length > 0 ? named : [section("What the sources say", [])];
}

function section(title: string, keyPoints: string[]): Section {
  return { title, key_points: keyPoints, target_word_count: null, include_code: null };
}

function groupsOf(units: readonly Unit[], base: EvidenceBase): Group[] {
  const groups = new Map<string, Group>();
  for (const unit of units) {
    const passage = unit.sentences[0]?.passage;
    const source = base.corpus.byId.get(unit.sourceId);
    if (passage === undefined || source === undefined) continue;
    const headings = passage.headings.map(cleanHeading);
    // A page's own title heads everything on it.
    const own = terms(source.title).join(" ");
    const at = headings.findIndex(
      (title, level) => isSubject(title) && (level > 0 || terms(title).join(" ") !== own),
    );
    const title = headings[at === -1 ? headings.length : at];
    if (title === undefined) continue;
    const key = terms(title).sort().join(" ");
    if (key === "") continue;
    let group = groups.get(key);
    if (group === undefined) {
      group = { title, sources: new Set(), words: 0, position: 0, units: 0, subheadings: new Map() };
      groups.set(key, group);
    }
    const words = unit.sentences.reduce((sum, sentence) => sum + sentence.words, 0);
    group.sources.add(unit.sourceId);
    group.position = (group.position * group.units + passage.start / source.text.length) / (group.units + 1);
    group.units += 1;
    group.words += words;
    const below = headings[at + 1];
    if (below !== undefined && isSubject(below)) {
      group.subheadings.set(below, (group.subheadings.get(below) ?? 0) + words);
    }
  }
  return [...groups.values()];
}

function cleanHeading(heading: string): string {
  return subjectOf(heading)
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*`#¶]|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])|\p{Extended_Pictographic}/gu, "")
    .replace(/\s+/g, " ")
    .replace(/[:.]+$/, "")
    .trim();
}

function isSubject(title: string): boolean {
  const words = title.split(" ").length;
  return (
    title.length >= 3 && title.length <= 80 && words <= 10 && !furniture.test(title) && !isGeneric(title)
  );
}
