import type { Outline, OutlineSection, RequiredRevision } from "@proofroom/contracts";
import { extractFences, splitSections, wordCount } from "@proofroom/markdown";
import type { EvidenceBase } from "../extractive/evidence-base.ts";
import { planArticle } from "../extractive/plan-article.ts";
import { escapeText, isNotice, sectionBlocks, sectionMarkdown } from "../extractive/section-markdown.ts";
import { UsedText } from "../extractive/used-text.ts";
import { type ArticlePart, insertPart, joinArticle, matchSections, splitArticle } from "./article-parts.ts";
import { keyOf, removeSentences, sentencesOf, termsOf } from "./article-text.ts";
import { targeted } from "./targeted.ts";

export interface Material {
  outline: Outline;
  base: EvidenceBase;
  /** The drafted text of a section, or null. */
  draftOf: (section: OutlineSection) => string | null;
}

/** Puts missing sections back in their places, from their drafts or else from the evidence. */
export function restoreSections(
  markdown: string,
  revisions: readonly RequiredRevision[],
  { outline, draftOf, base }: Material,
  done: Set<RequiredRevision>,
): string {
  let parts = splitArticle(markdown);
  for (const [order, section] of outline.sections.entries()) {
    const missing = targeted(revisions, ["missing_section"], section);
    if (missing.length === 0 || matchSections(parts, outline).has(section)) continue;
    const draft = draftOf(section) ?? redraft(section, outline, joinArticle(parts), base);
    const matched = matchSections(parts, outline);
    const previous = outline.sections.slice(0, order).findLast((other) => matched.has(other));
    const after = previous === undefined ? -1 : parts.indexOf(matched.get(previous) as ArticlePart);
    const first = parts.findIndex(({ kind }) => kind === "section" || kind === "references");
    const at = after === -1 ? (first === -1 ? parts.length : first) : after + 1;
    parts = insertPart(parts, at, { kind: "section", heading: section.title, markdown: draft });
    for (const revision of missing) done.add(revision);
  }
  return joinArticle(parts);
}

function redraft(section: OutlineSection, outline: Outline, markdown: string, base: EvidenceBase): string {
  const [plan] = planArticle({ ...outline, sections: [section] }, base, inUse(markdown)).sections;
  return plan === undefined ? "" : sectionMarkdown(plan, base.corpus);
}

function inUse(markdown: string): { used: UsedText; usedCode: string[] } {
  const used = new UsedText();
  for (const sentence of sentencesOf(markdown)) used.add(sentence.key, termsOf(sentence));
  return { used, usedCode: extractFences(markdown).map(({ code }) => code) };
}

/** Adds the best evidence that the article neither holds nor held to sections that are short or leave points open. */
export function addEvidence(
  markdown: string,
  before: string,
  revisions: readonly RequiredRevision[],
  { outline, base }: Material,
  done: Set<RequiredRevision>,
): string {
  const parts = splitArticle(markdown);
  const wanting = [...matchSections(parts, outline)].flatMap(([section, part]) => {
    const asked = targeted(revisions, ["under_budget", "missing_key_point"], section);
    return asked.length === 0 ? [] : [{ section: withOpenPoints(section, asked), part, asked }];
  });
  if (wanting.length === 0) return markdown;
  const spent = new Map(wanting.map(({ section, part }) => [section.section_id, wordCount(part.markdown)]));
  const narrowed: Outline = { ...outline, sections: wanting.map(({ section }) => section) };
  const { sections } = planArticle(narrowed, base, { ...inUse(`${markdown}\n\n${before}`), spent });
  for (const [at, plan] of sections.entries()) {
    const wanted = wanting[at];
    if (wanted === undefined || (plan.placed.length === 0 && plan.code.length === 0)) continue;
    const { part, asked } = wanted;
    const kept = removeSentences(
      part.markdown,
      ({ text }) => isNotice(text),
      () => false,
    ).markdown;
    const text = `${kept.trimEnd()}\n\n${sectionBlocks(plan, base.corpus).join("\n\n")}\n\n`;
    parts[parts.indexOf(part)] = { ...part, markdown: text };
    const answered = new Set(plan.placed.filter(({ covers }) => covers).map(({ point }) => point));
    for (const revision of asked) {
      const named = plan.section.key_points.findIndex((point) => names(revision, point));
      const covered = named === -1 ? answered.size > 0 : answered.has(named);
      if (revision.kind === "under_budget" || covered) done.add(revision);
    }
  }
  return joinArticle(parts);
}

/** The section with the key points that revisions name, or with all of them where they name none. */
function withOpenPoints(section: OutlineSection, asked: readonly RequiredRevision[]): OutlineSection {
  const named = section.key_points.filter((point) => asked.some((revision) => names(revision, point)));
  const short = asked.some(({ kind }) => kind === "under_budget");
  return {
    ...section,
    key_points: named.length > 0 && !short ? named : section.key_points,
    // Code that was taken out because it fails would come back.
    include_code: false,
  };
}

function names({ target, instruction }: RequiredRevision, point: string): boolean {
  return keyOf(target ?? instruction).includes(keyOf(point));
}

/** Gives an article that has no heading of the first level its title. */
export function restoreTitle(
  markdown: string,
  revisions: readonly RequiredRevision[],
  { title }: Outline,
  done: Set<RequiredRevision>,
): string {
  const asked = revisions.filter(
    ({ kind, instruction }) => kind === "structure" && /\btitle\b/.test(instruction),
  );
  if (asked.length === 0 || splitSections(markdown).some(({ depth }) => depth === 1)) return markdown;
  for (const revision of asked) done.add(revision);
  return `# ${escapeText(title)}\n\n${markdown}`;
}
