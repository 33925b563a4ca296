import type { Outline, RequiredRevision } from "@proofroom/contracts";
import { jaccard } from "@proofroom/evidence";
import { withoutMarkers } from "@proofroom/markdown";
import { noticeOf } from "../extractive/section-markdown.ts";
import { type ArticlePart, joinArticle, matchSections, splitArticle } from "./article-parts.ts";
import { type ArticleSentence, keyOf, removeSentences, sentencesOf, termsOf } from "./article-text.ts";
import { removeCode } from "./remove-code.ts";
import { type IsOurs, targeted } from "./targeted.ts";

const sentenceKinds: ReadonlySet<RequiredRevision["kind"]> = new Set([
  "unsupported_citation",
  "unresolved_citation",
  "uncited_claim",
  "repeated_text",
]);

/** Takes out blocks of code that fail, where the critique counted the blocks of this very article. */
export function dropCode(
  markdown: string,
  revisions: readonly RequiredRevision[],
  current: boolean,
  done: Set<RequiredRevision>,
): string {
  const failing = revisions.filter(({ kind, blocking }) => kind === "failing_code" && blocking && current);
  const result = removeCode(markdown, new Set(failing.map(({ target }) => target ?? "")));
  for (const revision of failing) if (result.removed.has(revision.target ?? "")) done.add(revision);
  return result.markdown;
}

export interface DropScope {
  outline: Outline;
  /** Revisions that mean the sentence in their section alone, where they name one. */
  confined: readonly RequiredRevision[];
  /** The keys of sentences that stay though they lean on one that goes. */
  kept: ReadonlySet<string>;
}

/**
 * Takes out the sentences that revisions are about. A person's own go only where the revision blocks approval; of
 * a repeated one the first stays.
 */
export function dropSentences(
  markdown: string,
  revisions: readonly RequiredRevision[],
  { outline, confined, kept }: DropScope,
  isOurs: IsOurs,
  done: Set<RequiredRevision>,
  movedOut: string[],
): string {
  let current = markdown;
  const gone = new Set<string>();
  for (const revision of revisions) {
    if (!sentenceKinds.has(revision.kind) || revision.target === undefined) continue;
    const key = keyOf(revision.target);
    if (key === "" || (!revision.blocking && !isOurs(key))) continue;
    const repeated = revision.kind === "repeated_text";
    const parts = splitArticle(current);
    const section = confined.includes(revision)
      ? outline.sections.find(({ section_id }) => section_id === revision.section)
      : undefined;
    const part = section === undefined ? undefined : matchSections(parts, outline).get(section);
    if (section !== undefined && part === undefined) continue;
    const text = part?.markdown ?? current;
    const all = sentencesOf(text);
    const first = all.find((sentence) => sentence.key === key);
    if (first === undefined) {
      // It leaned on one that went.
      if (gone.has(key)) done.add(revision);
      continue;
    }
    const again = all.some((sentence) => sentence.key === key && sentence !== first);
    if (repeated && !again && !hasTwin(first, all)) continue;
    const result = removeSentences(
      text,
      (sentence) => sentence.key === key && !(repeated && again && sentence.start === first.start),
      (sentence) => isOurs(sentence.key) && !kept.has(sentence.key),
    );
    current =
      part === undefined
        ? result.markdown
        : joinArticle(
            parts.map((other) => (other === part ? { ...part, markdown: result.markdown } : other)),
          );
    for (const sentence of result.removed) gone.add(sentence.key);
    movedOut.push(...result.removed.filter((sentence) => !isOurs(sentence.key)).map(({ text }) => text));
    done.add(revision);
  }
  return fillEmptied(current, markdown);
}

function hasTwin(sentence: ArticleSentence, all: readonly ArticleSentence[]): boolean {
  const said = termsOf(sentence);
  return all.some((other) => other !== sentence && jaccard(termsOf(other), said) > 0.6);
}

/**
 * A section that has lost its last sentence says so, as one for which nothing was found does; an emptied summary
 * goes.
 */
function fillEmptied(markdown: string, before: string): string {
  if (markdown === before) return markdown;
  const parts = splitArticle(markdown).flatMap((part): ArticlePart | ArticlePart[] => {
    const [heading = "", ...rest] = part.markdown.split("\n");
    if (!/^(?:section|summary)$/.test(part.kind) || rest.join("\n").trim() !== "") return part;
    if (part.kind === "summary") return [];
    return { ...part, markdown: `${heading}\n\n${noticeOf(heading.replace(/^#+\s*/, ""))}\n\n` };
  });
  return joinArticle(parts);
}

/** Takes the fragment off the end of a section that breaks off. */
export function completeEndings(
  markdown: string,
  revisions: readonly RequiredRevision[],
  outline: Outline,
  done: Set<RequiredRevision>,
): string {
  const parts = splitArticle(markdown);
  for (const [section, part] of matchSections(parts, outline)) {
    const broken = targeted(revisions, ["structure"], section).filter(({ blocking }) => blocking);
    const last = sentencesOf(part.markdown).at(-1);
    if (broken.length === 0 || last === undefined || ends(last.text)) continue;
    // A line above code introduces it.
    if (/^\s*(?:`{3}|~{3})/m.test(part.markdown.slice(last.end))) continue;
    const { markdown: complete } = removeSentences(
      part.markdown,
      ({ start }) => start === last.start,
      () => false,
    );
    parts[parts.indexOf(part)] = { ...part, markdown: complete };
    for (const revision of broken) done.add(revision);
  }
  return fillEmptied(joinArticle(parts), markdown);
}

function ends(sentence: string): boolean {
  return /[.!?。！？][)"'”’*_]*$/.test(withoutMarkers(sentence));
}
