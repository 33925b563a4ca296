import { extractFences, type Fence, type ProseBlock, proseBlocks } from "@proofroom/markdown";
import { splitSentences } from "../sentences/split-sentences.ts";
import { parseWithRanges } from "./markdown-tree.ts";
import { idMarker, numberMarker, numbersOf } from "./markers.ts";
import { contentOf } from "./support.ts";
import { tokenize } from "./tokens.ts";

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

const marker = new RegExp(`${idMarker.source}|${numberMarker.source}`, "g");
const wordJoiner = "\u2060";

/**
 * Reads the sentences of an article, in order: of paragraphs, list items, quotes and rows of tables (a row is one
 * sentence). Headings, code, the table of contents and the references are left out. A marker belongs to the
 * sentence in which, or after whose final punctuation, it stands; one that stands alone in its block belongs to
 * the sentence before.
 */
export function readStatements(article: string): Statement[] {
  const lineOf = lineFinder(article);
  const fences = extractFences(article);
  const blocks = proseBlocks(protectBrackets(article));
  const ownReferences = blocks.findLast(({ kind, text }) => kind === "heading" && referencesTitle.test(text));
  const statements: Statement[] = [];
  for (const [at, block] of blocks.entries()) {
    const previous = blocks[at - 1];
    const inContents = contentsTitle.test(block.section) && block.kind === "list_item";
    const inReferences = referencesTitle.test(block.section) && block.line >= (ownReferences?.line ?? 0);
    if (block.kind === "heading" || inContents || inReferences) continue;
    const isHeader = block.kind === "table_row" && !followsRow(block, previous);
    const isSubtitle = block.kind === "paragraph" && at === 1 && previous?.kind === "heading";
    const sentences =
      block.kind === "table_row" ? [block.text] : splitSentences(block.text).map(({ text }) => text);
    for (const text of sentences) {
      const { numbers, ids } = readMarkers(text);
      const sentence = withoutMarkers(text);
      if (/[\p{L}\p{N}]/u.test(sentence)) {
        const line = lineOf(sentence, block.line);
        statements.push({
          sentence,
          line,
          section: block.section,
          numbers,
          ids,
          claim: !isHeader && !(isSubtitle && sentences.length === 1) && isClaim(sentence, block.kind),
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

const referencesTitle = /^references:?$/i;
const contentsTitle = /^(?:table of )?contents:?$/i;

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

function withoutMarkers(text: string): string {
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
  const { nodes, rangeOf } = parseWithRanges(article);
  const code = nodes.filter((node) => node.type === "inlineCode").map(rangeOf);
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

const signpost =
  /^(?:(?:this|the (?:next|following|previous)) (?:article|section|post|guide|chapter|tutorial|part)s?\b|(?:in|by the end of|throughout) (?:this|the (?:next|following)) |let['’]s\b|let us\b|(?:now|next|below|above|finally|first|then|here),? (?:we|you|i|let|is|are)\b|we(?:['’]ll| will)\b|you(?:['’]ll| will) (?:learn|see|find)\b|here['’]s\b|(?:the|this) (?:code|snippet|example|listing|output|block|figure|diagram|table)\b|(?:see|read|note|consider|remember|suppose|imagine|assume|install|run|use|create|open|add|copy|paste|replace|set|try|check|make sure|start|stop|save|call|pass|import|define|write|choose|keep|avoid|download|clone|follow|click|go)\b)/i;
const composedByMachine =
  /^the gathered sources say nothing about |\bno (?:language )?model (?:wrote|was used|has written|was involved)\b|\bthis (?:article|text|page|draft) (?:is|was) (?:extractive|composed|extracted|assembled)\b/i;

/**
 * Whether a sentence states something that a reader would want a source for. Not: questions, fragments of fewer
 * than four words or two that say something, introductions that end with a colon, sentences that guide through
 * the article or its code ("In this section …", "Next, we …"), instructions ("Install …"), text without final
 * punctuation outside lists and tables (captions), and the notes on how the article was composed. A single sentence
 * right below the title is a subtitle.
 */
function isClaim(sentence: string, kind: ProseBlock["kind"]): boolean {
  const words = sentence.match(/[\p{L}\p{N}][\p{L}\p{N}'’._-]*/gu) ?? [];
  const letters = sentence.replace(/[^\p{L}]/gu, "").length;
  const wide = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u.test(sentence);
  if (wide ? letters < 8 : words.length < 4) return false;
  if (/[?？:：][)"'”’*]*$/.test(sentence) || contentOf(tokenize(sentence)).length < 2) return false;
  if (composedByMachine.test(sentence) || signpost.test(sentence)) return false;
  const ended = /[.!…。！｡][)\]"'”’*»」]*$/.test(sentence);
  return ended || kind === "list_item" || kind === "table_row" || kind === "quote";
}
