import type { SourceLookup } from "./source-index.ts";
import { type Token, tokenize } from "./tokens.ts";

const quoted =
  /“([^“”]+)”|„([^“”„]+)[“”]|«([^«»]+)»|»([^«»]+)«|「([^「」]+)」|『([^『』]+)』|(?<![\p{L}\p{N}])"([^"]+)"(?![\p{L}\p{N}])/gu;

/** What a sentence quotes, as parts that must occur: a quotation with an ellipsis has several. */
export function quotesIn(sentence: string): { text: string; parts: Token[][] }[] {
  return [...sentence.matchAll(quoted)].flatMap((match) => {
    const text = (match.slice(1).find((words) => words !== undefined) ?? "").trim();
    const parts = text
      .split(/\[?(?:…|\.{3})\]?/)
      .map(tokenize)
      .filter((part) => part.length > 0);
    return parts.length === 0 ? [] : [{ text, parts }];
  });
}

/** A run of tokens of a source: `from` to `to` (exclusive). */
export interface TokenRun {
  from: number;
  to: number;
}

/** Where words stand one after the other in a source, whatever space, punctuation and markup is between them. */
export function findWords(lookup: SourceLookup, words: readonly Token[], limit = 16): TokenRun[] {
  let rarest = 0;
  let places: readonly number[] | undefined;
  for (const [at, { norm }] of words.entries()) {
    const found = lookup.positions.get(norm);
    if (found === undefined) return [];
    if (places === undefined || found.length < places.length) {
      places = found;
      rarest = at;
    }
  }
  const runs: TokenRun[] = [];
  for (const place of places ?? []) {
    const from = place - rarest;
    if (words.every(({ norm }, at) => lookup.tokens[from + at]?.norm === norm)) {
      runs.push({ from, to: from + words.length });
      if (runs.length >= limit) break;
    }
  }
  return runs;
}
