import type { Clause } from "./clauses.ts";
import { operatorOf } from "./operators.ts";
import { areRelated } from "./related-words.ts";
import { isStopWord, type Token } from "./tokens.ts";

/** How many words that say something may stand between an operator and what it is said of. */
const reach = 3;

/** Operators without which the same words say more. */
const restricting: ReadonlySet<string> = new Set(
  `not never rarely most many usually often some sometimes few partly may probably only almost should must or if unless
  least less fewer under below within one help tend aim seem`
    .split(/\s+/)
    .map((word) => operatorOf(word) ?? word),
);

/**
 * Words by which a clause denies, bounds, conditions or connects what it says, where its evidence does not say them
 * of the same: `only`, `all`, `must`, `because`, `more`. What the evidence says once justifies it once.
 */
export function addedOperators({ tokens, ground }: Clause): Token[] {
  return unmatched(tokens, ground.tokens).filter((token) => !opensTheSentence(token));
}

/** Words that bound what the evidence says, and are missing where the clause says the same. */
export function droppedOperators({ tokens, ground }: Clause): Token[] {
  return unmatched(ground.tokens, tokens).filter(
    (token) => restricting.has(operatorOf(token.norm) ?? "") && saysNext(ground.tokens, token, tokens),
  );
}

/** Operators that the other text does not have before the same word (at the end of a sentence: behind the same). */
function unmatched(tokens: readonly Token[], others: readonly Token[]): Token[] {
  const used = new Set<number>();
  return tokens.filter((token, at) => {
    const operator = operatorOf(token.norm);
    if (operator === null) return false;
    const following = substance(tokens.slice(at + 1)).slice(0, reach);
    const preceding = substance(tokens.slice(0, at)).slice(-reach).reverse();
    const place = others.findIndex(({ norm }, there) => {
      if (operatorOf(norm) !== operator || used.has(there)) return false;
      const theirs = substance(others.slice(there + 1)).slice(0, reach);
      if (following.length > 0 && theirs.length > 0) return meets(following, theirs);
      return meets(preceding, substance(others.slice(0, there)).slice(-reach).reverse());
    });
    if (place !== -1) used.add(place);
    return place === -1;
  });
}

/** Whether one of them has the word next to the operator that the other has near it. */
function meets(one: readonly Token[], other: readonly Token[]): boolean {
  const [first, second] = [one[0], other[0]];
  return (first !== undefined && has(other, first)) || (second !== undefined && has(one, second));
}

/** Whether the other text has what the operator bounds: the word behind it, at the end of a sentence the one before. */
function saysNext(tokens: readonly Token[], operator: Token, others: readonly Token[]): boolean {
  const at = tokens.indexOf(operator);
  const bounded = substance(tokens.slice(at + 1))[0] ?? substance(tokens.slice(0, at)).at(-1);
  return bounded !== undefined && has(others, bounded);
}

function has(tokens: readonly Token[], { stem }: Token): boolean {
  return tokens.some((token) => areRelated(token.stem, stem));
}

function substance(tokens: readonly Token[]): Token[] {
  return tokens.filter(({ norm }) => !isStopWord(norm) && operatorOf(norm) === null);
}

/** `However, …` leads over from the sentence before, and bounds nothing in this one. */
function opensTheSentence({ norm, start }: Token): boolean {
  return start === 0 && (norm === "however" || norm === "so" || norm === "but");
}
