import { isStopWord, stem, tokenize } from "../citations/tokens.ts";

/** Words that guide a reader through a text and say nothing of its subject. */
const hollow: ReadonlySet<string> = new Set(
  "use used uses using like make makes made let also see well what's you'll need needs want way ways".split(
    " ",
  ),
);

/**
 * The terms of a text, in order, as retrieval compares them: without inflection and stop words, `snake_case` and
 * `camelCase` names as a whole and by their parts. No locale is involved.
 */
export function terms(text: string): string[] {
  const found: string[] = [];
  for (const token of tokenize(text)) {
    if (isStopWord(token.norm) || hollow.has(token.norm) || token.norm.length > 64) continue;
    found.push(token.stem);
    if (!token.named) continue;
    const parts = text.slice(token.start, token.end).split(/[\\_]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u);
    if (parts.length > 1) {
      found.push(...parts.filter((part) => part.length > 1).map((part) => stem(part.toLowerCase())));
    }
  }
  return found;
}

/** Shared terms over all terms of two sets, 0 to 1. */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  for (const term of small) if (large.has(term)) shared += 1;
  return shared / (a.size + b.size - shared);
}
