import type { Source, Span } from "@proofroom/contracts";
import { splitSentences } from "../sentences/split-sentences.ts";
import { type Token, tokenize } from "./tokens.ts";

/** A sentence of a source, or a line of its code, output or tables. Tokens `from` to `to` (exclusive). */
interface Passage {
  from: number;
  to: number;
  span: number;
}

/** A source made ready to look sentences up in. */
export interface SourceLookup {
  source: Source;
  spans: readonly Span[];
  tokens: readonly Token[];
  passages: readonly Passage[];
  /** Positions of a word among the tokens. */
  positions: ReadonlyMap<string, readonly number[]>;
  /** Passages in which a stem occurs, ascending. */
  passagesOf: ReadonlyMap<string, readonly number[]>;
}

/** Unpunctuated text (captions, dumps) is cut so that no passage has more tokens than this. */
const longestPassage = 60;

/** Cuts a source into passages within its spans and indexes their words. Linear in the source's text. */
export function indexSource(source: Source): SourceLookup {
  const spans: readonly Span[] =
    source.spans.length > 0
      ? source.spans
      : [{ start: 0, end: Math.max(1, source.text.length), kind: "prose", locator: {} }];
  const tokens: Token[] = [];
  const passages: Passage[] = [];
  for (const [spanAt, span] of spans.entries()) {
    for (const piece of piecesOf(source.text, span)) {
      const from = tokens.length;
      for (const token of tokenize(source.text.slice(piece.start, piece.end))) {
        tokens.push({ ...token, start: token.start + piece.start, end: token.end + piece.start });
      }
      for (let at = from; at < tokens.length; at += longestPassage) {
        passages.push({ from: at, to: Math.min(at + longestPassage, tokens.length), span: spanAt });
      }
    }
  }
  const positions = new Map<string, number[]>();
  for (const [at, { norm }] of tokens.entries()) append(positions, norm, at);
  const passagesOf = new Map<string, number[]>();
  for (const [at, { from, to }] of passages.entries()) {
    const stems = new Set<string>();
    for (let token = from; token < to; token += 1) stems.add(tokens[token]?.stem ?? "");
    for (const stem of stems) append(passagesOf, stem, at);
  }
  return { source, spans, tokens, passages, positions, passagesOf };
}

function append(map: Map<string, number[]>, key: string, value: number): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

/** Headings, list items and rows start a passage of their own; what is wrapped over lines stays together. */
const blockStart = /\n(?=[^\S\n]*(?:#{1,6}\s|[-*+•]\s|\d{1,3}[.)]\s|\||>|$))/;

function* piecesOf(text: string, span: Span): Generator<{ start: number; end: number }> {
  const within = text.slice(span.start, span.end);
  const separator = span.kind === "prose" ? blockStart : /\n/;
  let start = span.start;
  for (const block of within.split(separator)) {
    if (span.kind !== "prose") yield { start, end: start + block.length };
    else {
      for (const sentence of splitSentences(block)) {
        yield { start: start + sentence.start, end: start + sentence.end };
      }
    }
    start += block.length + 1;
  }
}

/** The passage in which a token stands. */
export function passageAt(lookup: SourceLookup, token: number): number {
  let low = 0;
  let high = lookup.passages.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lookup.passages[middle]?.from ?? 0) <= token) low = middle;
    else high = middle - 1;
  }
  return low;
}
