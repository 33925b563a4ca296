import type { Outline, OutlineSection, RequiredRevision } from "@proofroom/contracts";
import { terms } from "@proofroom/evidence";
import type { EvidenceBase } from "../extractive/evidence-base.ts";
import { matchSections, splitArticle } from "./article-parts.ts";
import { keyOf, sentencesOf } from "./article-text.ts";

/** What a caller asks for in words of their own, and the sections of the article that it is about. */
export interface FeedbackPoint {
  text: string;
  sections: readonly OutlineSection[];
  /** The sentences of the article that it quotes. */
  sentences: readonly string[];
}

/** A quote of fewer words may stand in any article by chance. */
const wordsOfQuote = 4;

/** So many words a section may grow by for each thing that it is to cover: a sentence or two. */
const wordsOfTopic = 40;

// They stand at the beginning, so that no "do not" stands before them.
const asksToRemove =
  /^\W*(?:please\s+)?(?:remove|delete|drop|strike|cut|take out)\s+(?:(?:the|this|that|these|both)\s+)?(?:(?:sentence|claim|statement)s?)?\s*:?\s*["“„«]/i;
const asksToShorten =
  /^\W*(?:please\s+)?(?:shorten|trim|condense|tighten)\b|\b(?:is|are)\s+(?:far |much |a bit )?too\s+(?:long|wordy)\b/i;
const asksToAdd =
  /^\W*(?:please\s+)?(?:add|cover|explain|mention|include|describe|discuss|say more about)\s+(?<topic>.+)$/is;
const whereItGoes = /\s+(?:in|to|under|within)\s+(?:the\s+)?(?:section\b.*|["“].*)$/is;

/**
 * Reads feedback on an article. A point is about the sections that it names by title or id, else about those that have
 * the sentences it quotes, else about the one that its words are most about, else about all.
 */
export function readFeedback(
  feedback: readonly string[],
  markdown: string,
  outline: Outline,
): FeedbackPoint[] {
  const matched = [...matchSections(splitArticle(markdown), outline)];
  const present = matched.map(([section]) => section);
  const sentences = matched.flatMap(([section, part]) =>
    sentencesOf(part.markdown).map((sentence) => ({ section, ...sentence })),
  );
  return feedback.map((text) => {
    const key = keyOf(text);
    const found = sentences.filter(
      (sentence) => sentence.key.split(" ").length >= wordsOfQuote && key.includes(sentence.key),
    );
    const quoted = found.filter(
      ({ key: own }) => !found.some((other) => other.key !== own && other.key.includes(own)),
    );
    const named = present.filter((section) => isNamed(section, text, key));
    const having = present.filter((section) => quoted.some((sentence) => sentence.section === section));
    const about = [named, having, mostAbout(text, present), present];
    return {
      text,
      sections: about.find((some) => some.length > 0) ?? [],
      sentences: quoted.map((sentence) => sentence.text),
    };
  });
}

function isNamed({ section_id: id, title }: OutlineSection, text: string, key: string): boolean {
  return text.split(/[^a-z0-9_-]+/).includes(id) || ` ${key} `.includes(` ${keyOf(title)} `);
}

function mostAbout(text: string, sections: readonly OutlineSection[]): OutlineSection[] {
  const asked = new Set(terms(text));
  const shared = sections.map(
    ({ title, key_points }) => new Set(terms([title, ...key_points].join(" "))).intersection(asked).size,
  );
  const most = Math.max(0, ...shared);
  return most === 0 ? [] : sections.slice(shared.indexOf(most), shared.indexOf(most) + 1);
}

/** A point as a model is told it: once for each section that it is about. */
export function editorialRevisions({ text, sections, sentences }: FeedbackPoint): RequiredRevision[] {
  return sections.map(({ section_id: section }) => ({
    section,
    kind: "editorial",
    blocking: false,
    instruction: text,
    ...(sentences.length === 0 ? {} : { target: sentences.join(" ") }),
  }));
}

/**
 * A point as what can be done from the evidence, as far as its words tell: take out the sentences that it quotes, bring a
 * section within its length, add what a source says of something. Anything else is editorial, which only a model does.
 */
export function revisionsFromEvidence(point: FeedbackPoint, base: EvidenceBase): RequiredRevision[] {
  const { text, sections, sentences } = point;
  const [section, ...others] = sections;
  const common = {
    section: section === undefined || others.length > 0 ? "article" : section.section_id,
    blocking: false,
    instruction: text,
  };
  if (sentences.length > 0 && asksToRemove.test(text))
    return sentences.map((target) => ({ ...common, kind: "uncited_claim", target }));
  const ofOne = common.section !== "article" && sentences.length === 0;
  if (ofOne && asksToShorten.test(text)) return [{ ...common, kind: "over_budget" }];
  const topic = ofOne ? topicOf(text, base) : null;
  if (topic !== null) return [{ ...common, kind: "missing_key_point", target: topic }];
  return [{ ...common, kind: "editorial" }];
}

/** What a point asks to be added, where one sentence of the evidence has all of its words. */
function topicOf(text: string, base: EvidenceBase): string | null {
  const asked = asksToAdd.exec(text)?.groups?.["topic"]?.replace(whereItGoes, "");
  const topic = asked?.replace(/^["“]|["”.!\s]+$/g, "").trim() ?? "";
  const wanted = new Set(terms(topic));
  const isSaid = base.units.some(({ sentences }) =>
    sentences.some((sentence) => wanted.isSubsetOf(base.termsOf(sentence))),
  );
  return wanted.size > 0 && isSaid ? topic : null;
}

/** The outline with what feedback asks to be covered among the key points of its sections, and room for it. */
export function withTopics(outline: Outline, revisions: readonly RequiredRevision[]): Outline {
  const sections = outline.sections.map((section) => {
    const known = new Set(section.key_points.map(keyOf));
    const topics = revisions.flatMap(({ kind, section: of, target }) =>
      kind === "missing_key_point" && of === section.section_id && target !== undefined ? [target] : [],
    );
    return {
      ...section,
      key_points: [...section.key_points, ...topics.filter((topic) => !known.has(keyOf(topic)))],
      target_word_count: section.target_word_count + topics.length * wordsOfTopic,
    };
  });
  return { ...outline, sections };
}
