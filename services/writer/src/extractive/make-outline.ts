import type { Outline, OutlineSection } from "@proofroom/contracts";
import type { GuidelineBrief } from "@proofroom/evidence";
import { titleOfBrief } from "./brief-title.ts";
import { languageOf, soundness } from "./code-soundness.ts";
import type { EvidenceBase } from "./evidence-base.ts";
import { sectionsOfCorpus } from "./sections-of-corpus.ts";
import { subjectOf } from "./subject.ts";

/** Words of a section where neither the guideline nor its length says. */
const usualWords = 200;
const leastWords = 60;
/** Silent reading of English non-fiction, words per minute (Brysbaert, 2019, gives 238). */
const readingSpeed = 238;

/** A guideline's own outline where it has one, else the subjects that the evidence itself is ordered by. */
export function makeOutline(brief: GuidelineBrief, base: EvidenceBase): Outline {
  const title = titleOfBrief(brief) ?? bestTitle(brief, base);
  const wanted = brief.sections.length > 0 ? brief.sections : sectionsWithoutOutline(title, brief, base);
  const budgets = budgetsOf(
    wanted.map(({ target_word_count }) => target_word_count),
    brief.expected_words,
  );
  const sections = wanted.map((section, index): OutlineSection => {
    const query = [subjectOf(section.title), ...section.key_points].join(" ");
    return {
      section_id: `section_${index + 1}`,
      title: section.title,
      key_points: section.key_points,
      target_word_count: budgets[index] ?? usualWords,
      include_code: section.include_code ?? wantsCode(section, base),
      citations_to_reference: bearingRefs(query, title, base),
    };
  });
  const words = sections.reduce((sum, section) => sum + section.target_word_count, 0);
  const count = base.corpus.sources.length;
  return {
    title,
    subtitle: `Based on ${count} gathered ${count === 1 ? "source" : "sources"}`,
    target_audience: brief.audience ?? "Not stated in the guideline",
    estimated_read_time_minutes: Math.ceil(words / readingSpeed),
    sections,
  };
}

/** Scripts that put spaces between words: there a title and a source can be compared by them. */
const spaced = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}\p{P}\p{S}\s]+$/u;

/**
 * The subjects that the evidence is ordered by. Where it shares no word with the title it is about something else: then the
 * title is the one section, and the article says that there is nothing on it.
 */
function sectionsWithoutOutline(
  title: string,
  brief: GuidelineBrief,
  base: EvidenceBase,
): GuidelineBrief["sections"] {
  const isForeign = spaced.test(title) && base.retriever.search(title, { limit: 1, floor: 0 }).length === 0;
  if (!isForeign) return sectionsOfCorpus(`${title} ${brief.topic.slice(0, 300)}`, base);
  return [{ title, key_points: [title], target_word_count: null, include_code: false }];
}

/** Budgets that are given stand; what is left of the whole is spread over the sections without one. */
function budgetsOf(given: readonly (number | null)[], expected: number | null): number[] {
  const fixed = given.reduce<number>((sum, words) => sum + (words ?? 0), 0);
  const free = given.filter((words) => words === null).length;
  const share =
    expected === null || free === 0
      ? usualWords
      : Math.max(leastWords, Math.floor((expected - fixed) / free));
  return given.map((words) => words ?? share);
}

/** The refs of the sources that bear on a section, best first. */
function bearingRefs(query: string, title: string, base: EvidenceBase): string[] {
  const search = (text: string) => base.retriever.search(text, { limit: 12, floor: 0.15, perSource: 3 });
  const hits = search(query);
  const ids = new Set((hits.length > 0 ? hits : search(title)).map(({ item }) => item.sourceId));
  return [...ids].slice(0, 5).flatMap((id) => base.corpus.byId.get(id)?.ref ?? []);
}

/** Where the guideline does not say: a section about doing something for which the sources have sound code. */
function wantsCode(section: GuidelineBrief["sections"][number], base: EvidenceBase): boolean {
  const subject = [section.title, ...section.key_points].join(" ");
  const practical =
    /\b(?:implement\w*|code|coding|hands[- ]on|examples?|writing|build\w*|setup|set(?:ting)? up|usage|us(?:e|ing)|creat\w+|defin\w+|configur\w+|install\w*|quick ?start|tutorial|api|function|handl\w+|running|testing)\b/i;
  if (!practical.test(subject)) return false;
  return base.retriever
    .findCode(subject)
    .slice(0, 10)
    .some(({ item, coverage }) => coverage >= 0.35 && soundness(item) > 0.4 && languageOf(item) !== "json");
}

/** The title of the source that bears most on the topic, where the guideline gives no title at all. */
function bestTitle(brief: GuidelineBrief, base: EvidenceBase): string {
  const [best] = base.retriever.search(brief.topic, { limit: 1, floor: 0 });
  const source = base.corpus.sources.find(({ id }) => id === best?.item.sourceId) ?? base.corpus.sources[0];
  return source?.title ?? "What the sources say";
}
