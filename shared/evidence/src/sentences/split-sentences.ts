import { either, inner, openers, units } from "./abbreviations.ts";
import { inlineCode } from "./code-spans.ts";

/** A sentence and where it stands: `text.slice(start, end)` of the text that was split, in UTF-16 code units. */
export interface Sentence {
  start: number;
  end: number;
  text: string;
}

const boundary = /[.!?…]+|[。！？｡]+|\n[^\S\n]*\n/g;
/** What closes a sentence after its punctuation: quotes, brackets, emphasis. */
const closers = /[)\]}"'”’»›」』】）*_~]*/y;
/** Citation markers, glued or after one space: `[4]`, `[S4]`, `[^4]`, `[1, 2]`. */
const markers = /(?:[^\S\n]?\[\^?S?\d{1,5}(?:\s?[,–-]\s?S?\d{1,5}){0,9}\]){1,12}/y;
const nextWord = /\s*["'“‘«([{*_~#>]*([\p{L}\p{N}'’-]*)/uy;

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** The token that ends before `end`, looking back 24 characters at most: longer ones are no abbreviation. */
function tokenBefore(text: string, end: number): string {
  return /[\p{L}\p{N}.]*$/u.exec(text.slice(Math.max(0, end - 24), end))?.[0] ?? "";
}

function fullStopEnds(text: string, start: number, at: number, following: string): boolean {
  const token = tokenBefore(text, at);
  const word = token.toLowerCase();
  if (inner.has(word))
    return units.has(token) && /\d\s$/.test(text.slice(at - token.length - 2, at - token.length));
  // The number of a list item is no sentence; a number at the end of one is.
  if (/^\d+$/.test(token)) return text.slice(start, at).trim() !== token;
  const initials = /^\p{Lu}$|^(?:\p{L}\.)+\p{L}$/u.test(token);
  if (either.has(word) || initials) return openers.has(following);
  return true;
}

/**
 * Splits a text into sentences at exact offsets: whitespace between them belongs to none. Blank lines always
 * separate; abbreviations, initials, versions, decimals, URLs and inline code do not. Markers of citations that
 * follow the punctuation (`differs.[4]`, `text. [S4]`) belong to the sentence before them and end it. CJK punctuation ends a
 * sentence without a space. Own code, since sbd joins `differs.[4] Next` and keeps no offsets. Linear in the text.
 */
export function splitSentences(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  const code = inlineCode(text);
  let codeIndex = 0;
  let start = 0;

  const push = (end: number) => {
    const raw = text.slice(start, end);
    const lead = raw.length - raw.trimStart().length;
    const trimmed = raw.trim();
    if (trimmed.length > 0) {
      sentences.push({ start: start + lead, end: start + lead + trimmed.length, text: trimmed });
    }
    start = end;
  };

  boundary.lastIndex = 0;
  for (let match = boundary.exec(text); match !== null; match = boundary.exec(text)) {
    const at = match.index;
    while ((code[codeIndex]?.end ?? Number.POSITIVE_INFINITY) <= at) codeIndex += 1;
    const span = code[codeIndex];
    if (span !== undefined && span.start < at) {
      boundary.lastIndex = span.end;
      continue;
    }
    const mark = match[0];
    let end = at + mark.length;
    if (mark.startsWith("\n")) {
      push(end);
      continue;
    }
    end += matchAt(closers, text, end)?.[0].length ?? 0;
    const cited = matchAt(markers, text, end);
    const wide = /[。！？｡]/.test(mark);
    const isCited = cited !== null && (wide || continuesAfter(text, end + cited[0].length));
    if (isCited) end += cited[0].length;
    if (!wide && end < text.length && !/\s/.test(text.charAt(end))) continue;
    const following = matchAt(nextWord, text, end)?.[1] ?? "";
    // A lower-case letter goes on with the sentence, whatever stood before it.
    if (!wide && /^\p{Ll}/u.test(following) && !/^\s*`/.test(text.slice(end, end + 8))) continue;
    if (mark === "." && !isCited && end < text.length && !fullStopEnds(text, start, at, following)) continue;
    push(end);
    boundary.lastIndex = Math.max(boundary.lastIndex, end);
  }
  push(text.length);
  return sentences;
}

/** Whether what follows a marker starts anew: a marker before a lower-case word is that word's subject. */
function continuesAfter(text: string, at: number): boolean {
  const following = text.slice(at, at + 8);
  return following === "" || /^\s/.test(following) ? !/^\s+\p{Ll}/u.test(following) : false;
}
