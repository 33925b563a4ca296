import {
  citationMarker,
  extractFences,
  type Fence,
  isContentsHeading,
  isReferencesHeading,
  locateMarkdown,
  type ProseBlock,
  proseBlocks,
} from "@proofroom/markdown";
import { splitSentences } from "../sentences/split-sentences.ts";
import { htmlProse } from "./html-prose.ts";
import { isClaim } from "./is-claim.ts";
import { numbersOf } from "./marker-numbers.ts";
import { walk } from "./walk.ts";

/** A sentence of the article with the markers that stand at it. */
export interface Statement {
  /** Plain text without markers. */
  sentence: string;
  /** 1-based line of the article. */
  line: number;
  section: string;
  /** What its markers cite, ascending and without repetition. */
  numbers: number[];
  /** Ids that were never turned into numbers (`[S4]`). */
  ids: string[];
  /** States something that needs a source; see `isClaim`. */
  claim: boolean;
  /** The block of code that a sentence ending with a colon introduces. */
  code: string | null;
}

const marker = new RegExp(citationMarker, "g");
const wordJoiner = "\u2060";

/**
 * Reads the sentences of an article, in order: of paragraphs, list items, quotes, rows of tables (a row is one
 * sentence) and HTML, and headings where they cite. Code, the entries of the table of contents and of the references
 * are left out, other text below those headings is not. A marker belongs to the sentence in which, or after whose
 * final punctuation, it stands; one that stands alone in its block belongs to the sentence before. A single sentence
 * right below the title is a subtitle.
 */
export function readStatements(article: string): Statement[] {
  const lineOf = lineFinder(article);
  const fences = extractFences(article);
  const readable = protectBrackets(article);
  const blocks = htmlProse(readable, proseBlocks(readable));
  const headings = new Set(
    blocks.flatMap(({ kind, text }) => (kind === "heading" ? [withoutMarks(text)] : [])),
  );
  const ownReferences = blocks.findLast(({ kind, text }) => kind === "heading" && isReferencesHeading(text));
  const statements: Statement[] = [];
  for (const [at, block] of blocks.entries()) {
    const previous = blocks[at - 1];
    const isEntry =
      block.kind === "list_item" &&
      ((isContentsHeading(block.section) && headings.has(withoutMarks(block.text))) ||
        (isReferencesHeading(block.section) && block.line >= (ownReferences?.line ?? 0)));
    if (isEntry) continue;
    const isHeader = block.kind === "table_row" && !followsRow(block, previous);
    const isSubtitle = block.kind === "paragraph" && at === 1 && previous?.kind === "heading";
    const sentences =
      block.kind === "table_row" || block.kind === "heading"
        ? [block.text]
        : splitSentences(block.text).map(({ text }) => text);
    for (const text of sentences) {
      const { numbers, ids } = readMarkers(text);
      const sentence = withoutMarks(text);
      if (block.kind === "heading" && numbers.length + ids.length === 0) continue;
      if (/[\p{L}\p{N}]/u.test(sentence)) {
        const line = lineOf(sentence, block.line);
        statements.push({
          sentence,
          line,
          section: block.section,
          numbers,
          ids,
          claim:
            block.kind !== "heading" &&
            !isHeader &&
            !(isSubtitle && sentences.length === 1) &&
            isClaim(sentence, block.kind),
          code: codeBelow(sentence, line, fences),
        });
        continue;
      }
      const before = statements.at(-1);
      if (before?.section !== block.section) continue;
      before.numbers = sorted([...before.numbers, ...numbers]);
      before.ids.push(...ids);
    }
  }
  return statements;
}

/** The code that a sentence introduces: a block that begins at most three lines below it. */
function codeBelow(sentence: string, line: number, fences: readonly Fence[]): string | null {
  if (!/[:：]$/.test(sentence)) return null;
  return fences.find(({ start_line }) => start_line > line && start_line <= line + 3)?.code ?? null;
}

function followsRow(block: ProseBlock, previous: ProseBlock | undefined): boolean {
  // Below a header stands the line of dashes, so its first row is two lines further down.
  return previous?.kind === "table_row" && block.line - previous.line <= 2;
}

function readMarkers(text: string): { numbers: number[]; ids: string[] } {
  const numbers: number[] = [];
  const ids = new Set<string>();
  for (const [group] of text.matchAll(marker)) {
    if (!group.includes("S")) numbers.push(...numbersOf(group));
    else for (const [id] of group.matchAll(/S\d+/g)) ids.add(id);
  }
  return { numbers: sorted(numbers), ids: [...ids] };
}

function withoutMarks(text: string): string {
  return text
    .replace(marker, "")
    .replaceAll(wordJoiner, "")
    .replace(/\s+([.,;:!?…])/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
}

function sorted(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/** Makes bracketed numbers in inline code (`rows[1]`) and escaped ones unlike markers, without moving lines. */
function protectBrackets(article: string): string {
  const { root, rangeOf } = locateMarkdown(article);
  const code = [...walk(root)].filter((node) => node.type === "inlineCode").map(rangeOf);
  let next = 0;
  return article.replace(/\[(?=\s*S?\d)/g, (bracket, at: number) => {
    while (next < code.length && (code[next]?.end ?? 0) <= at) next += 1;
    const range = code[next];
    const protectedHere = (range !== undefined && range.start <= at) || article[at - 1] === "\\";
    return protectedHere ? bracket + wordJoiner : bracket;
  });
}

/** Tells on which line a sentence begins, given the line of its block: looks for its first words from there. */
function lineFinder(article: string): (sentence: string, from: number) => number {
  const lines = article.split(/\r\n|\n|\r/);
  return (sentence, from) => {
    const words = [...sentence.matchAll(/[\p{L}\p{N}]+/gu)].slice(0, 4).map(([word]) => word);
    for (let line = from; line <= lines.length; line += 1) {
      const here = lines[line - 1] ?? "";
      if (line > from && here.trim() === "") break;
      const there = lines[line] ?? "";
      const found = [...`${here}\n${there}`.matchAll(/[\p{L}\p{N}]+/gu)];
      const at = found.findIndex((_, start) =>
        words.every((word, offset) => found[start + offset]?.[0] === word),
      );
      if (at !== -1 && (found[at]?.index ?? 0) < here.length) return line;
    }
    return from;
  };
}
