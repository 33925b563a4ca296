import { createHash } from "node:crypto";
import { splitSentences, terms } from "@proofroom/evidence";
import { locateMarkdown, type Range, withoutMarkers } from "@proofroom/markdown";
import type { Nodes } from "mdast";
import { plainSentence, sentenceKey } from "../extractive/plain-sentence.ts";
import { suitability } from "../extractive/suitability.ts";

/** A sentence of an article's prose, with its markers: `markdown.slice(start, end)`. */
export interface ArticleSentence {
  start: number;
  end: number;
  text: string;
  /** What it says, whatever its markup and markers. */
  key: string;
}

interface Paragraph {
  start: number;
  end: number;
  /** What goes when nothing of the paragraph is left: a list item or a quote that holds no more goes whole. */
  outer: Range;
  sentences: ArticleSentence[];
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The same for a sentence as a report quotes it and as it stands in Markdown. */
export function keyOf(text: string): string {
  const bare = withoutMarkers(text);
  return sentenceKey(plainSentence(bare) ?? bare);
}

/** The sentences of an article's paragraphs, list items and quotes, in order. */
export function sentencesOf(markdown: string): ArticleSentence[] {
  return paragraphsOf(markdown).flatMap(({ sentences }) => sentences);
}

export function termsOf(sentence: ArticleSentence): ReadonlySet<string> {
  return new Set(terms(withoutMarkers(sentence.text)));
}

function paragraphsOf(markdown: string): Paragraph[] {
  const found: Paragraph[] = [];
  const { root, rangeOf } = locateMarkdown(markdown);
  const visit = (node: Nodes, outer: Range | null) => {
    const { start, end } = rangeOf(node);
    if (node.type === "paragraph") {
      const sentences = splitSentences(markdown.slice(start, end)).map((sentence) => ({
        start: start + sentence.start,
        end: start + sentence.end,
        text: sentence.text,
        key: keyOf(sentence.text),
      }));
      found.push({ start, end, outer: outer ?? { start, end }, sentences });
    } else if ("children" in node) {
      const alone = /^(?:listItem|blockquote)$/.test(node.type) && node.children.length === 1;
      for (const child of node.children) visit(child, alone ? { start, end } : null);
    }
  };
  visit(root, null);
  return found;
}

/**
 * Takes sentences out, and with each those behind it that lean on it and may be dropped. Paragraphs, list items
 * and quotes that are left empty go too; everything else stays as it is.
 */
export function removeSentences(
  markdown: string,
  remove: (sentence: ArticleSentence) => boolean,
  mayDrop: (sentence: ArticleSentence) => boolean,
): { markdown: string; removed: ArticleSentence[] } {
  const removed: ArticleSentence[] = [];
  const cuts: Range[] = [];
  for (const paragraph of paragraphsOf(markdown)) {
    let previousGone = false;
    const kept = paragraph.sentences.filter((sentence) => {
      const gone = remove(sentence) || (previousGone && mayDrop(sentence) && leans(sentence));
      if (gone) removed.push(sentence);
      previousGone = gone;
      return !gone;
    });
    if (kept.length === paragraph.sentences.length) continue;
    if (kept.length === 0) {
      cuts.push(withBlankLines(markdown, paragraph.outer));
      continue;
    }
    for (const [at, sentence] of paragraph.sentences.entries()) {
      if (kept.includes(sentence)) continue;
      const next = paragraph.sentences[at + 1];
      const before = kept.findLast(({ end }) => end <= sentence.start);
      // The space goes with the sentence: the one behind it, or at the end of the paragraph the one before it.
      if (next !== undefined) cuts.push({ start: sentence.start, end: next.start });
      else cuts.push({ start: before?.end ?? sentence.start, end: sentence.end });
    }
  }
  return { markdown: cut(markdown, cuts), removed };
}

function leans(sentence: ArticleSentence): boolean {
  return suitability({ text: withoutMarkers(sentence.text), form: "paragraph", headings: [] }) === "follower";
}

/** With its lines' ends, as long as what stands before and behind does not run into one thereby. */
function withBlankLines(markdown: string, { start, end }: Range) {
  const line = markdown.lastIndexOf("\n", start - 1) + 1;
  // Behind the mark of a quote or an item the line's end stays, or the mark would take in the next line.
  if (markdown.slice(line, start).trim() !== "") return { start, end };
  const apart = line === 0 || /\n[^\S\n]*\n$/.test(markdown.slice(0, line));
  const after = (apart ? /^[^\S\n]*\n*/ : /^[^\S\n]*\n?/).exec(markdown.slice(end))?.[0].length ?? 0;
  return { start: line, end: end + after };
}

function cut(markdown: string, cuts: readonly Range[]): string {
  let result = "";
  let at = 0;
  for (const { start, end } of cuts.toSorted((a, b) => a.start - b.start)) {
    if (start > at) result += markdown.slice(at, start);
    at = Math.max(at, end);
  }
  return result + markdown.slice(at);
}
