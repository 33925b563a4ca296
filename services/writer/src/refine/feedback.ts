import type { Outline, OutlineSection, RequiredRevision } from "@proofroom/contracts";
import { terms } from "@proofroom/evidence";
import type { EvidenceBase } from "../extractive/evidence-base.ts";
import { matchSections, splitArticle } from "./article-parts.ts";
import { keyOf, sentencesOf } from "./article-text.ts";
import { type RequestRead, readRequest } from "./feedback-request.ts";

/** What a caller asks for in words of their own, and the sections of the article that it is about. */
export interface FeedbackPoint {
  text: string;
  sections: readonly OutlineSection[];
  /** The sentences of the article that it quotes; of a removal those that are to go. */
  sentences: readonly string[];
  /** The keys of those that it quotes beside the ones that it wants out: they stay, whatever they lean on. */
  kept: readonly string[];
  /** What it asks for, as far as its words tell. */
  request: RequestRead;
}

/** A quote of fewer words may stand in any article by chance. */
const wordsOfQuote = 4;

/** So many words a section may grow by for each thing that it is to cover: a sentence or two. */
const wordsOfTopic = 40;

/**
 * Reads feedback on an article. A point is about the section that it wants sentences taken out of, else about those that it names
 * by title or id, else about those that have the sentences it quotes, else about the one that its words are most about, else about all.
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
      (sentence) => isQuotable(sentence.key) && ` ${key} `.includes(` ${sentence.key} `),
    );
    const quoted = found.filter(
      ({ key: own }) => !found.some((other) => other.key !== own && other.key.includes(own)),
    );
    const named = present.filter((section) => isNamed(section, text, key));
    const request = readRequest(text, present, named);
    const going = request.kind === "remove" ? request : null;
    const meant = going === null ? quoted : quoted.filter((sentence) => going.keys.includes(sentence.key));
    const having = present.filter((section) => meant.some((sentence) => sentence.section === section));
    // The reason for a removal may name sections that it is not about.
    const first = going === null ? named : going.from === null ? having : [going.from];
    const about = [first, having, named, mostAbout(text, present), present];
    return {
      text,
      sections: about.find((some) => some.length > 0) ?? [],
      sentences: meant.map((sentence) => sentence.text),
      kept: going === null ? [] : quoted.flatMap(({ key: own }) => (going.keys.includes(own) ? [] : [own])),
      request,
    };
  });
}

function isQuotable(key: string): boolean {
  return key.split(" ").length >= wordsOfQuote;
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
  const { text, sections, request } = point;
  const [section, ...others] = sections;
  const common = {
    section: section === undefined || others.length > 0 ? "article" : section.section_id,
    blocking: false,
    instruction: text,
  };
  if (request.kind === "remove") {
    // A sentence that is not named by its section goes wherever it stands.
    const of = request.from === null ? "article" : request.from.section_id;
    return request.keys.map((target) =>
      isQuotable(target)
        ? { ...common, section: of, kind: "uncited_claim", target }
        : { ...common, kind: "editorial" },
    );
  }
  if (common.section === "article" || point.sentences.length > 0) return [{ ...common, kind: "editorial" }];
  if (request.kind === "shorten") return [{ ...common, kind: "over_budget" }];
  if (request.kind === "add" && isSaid(request.topic, base))
    return [{ ...common, kind: "missing_key_point", target: request.topic }];
  return [{ ...common, kind: "editorial" }];
}

/** Whether one sentence of the evidence has all words of a topic. */
function isSaid(topic: string, base: EvidenceBase): boolean {
  const wanted = new Set(terms(topic));
  return base.units.some(({ sentences }) =>
    sentences.some((sentence) => wanted.isSubsetOf(base.termsOf(sentence))),
  );
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
