import type { Clause } from "./clauses.ts";
import { operatorOf, withholds } from "./operators.ts";
import { areRelated } from "./related-words.ts";
import { isStopWord, type Token } from "./tokens.ts";

/** How many words that say something may stand between an operator and what it is said of. */
const reach = 3;
/** How far behind `asked` its `to` may stand. */
const linkReach = 10;

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
  const around = surroundings(ground.tokens);
  const missing = new Set(unmatched(ground.tokens, tokens));
  return ground.tokens.filter(
    (token, at) =>
      missing.has(token) &&
      (withholds(token.norm) || restricting.has(operatorOf(token.norm) ?? "")) &&
      bounded(ground.tokens, at, around).some((word) => has(tokens, word)),
  );
}

/** Operators that the other text does not have before the same word (at the end of a sentence: behind the same). */
function unmatched(tokens: readonly Token[], others: readonly Token[]): Token[] {
  const [ours, theirs] = [surroundings(tokens), surroundings(others)];
  const free = new Map<string, number[]>();
  for (const [at, { norm }] of others.entries()) {
    const operator = operatorOf(norm);
    if (operator === null) continue;
    const places = free.get(operator);
    if (places === undefined) free.set(operator, [at]);
    else places.push(at);
  }
  return tokens.filter(({ norm }, at) => {
    const operator = operatorOf(norm);
    if (operator === null) return false;
    const places = free.get(operator) ?? [];
    const found = places.findIndex((there) => {
      const [following, theirFollowing] = [ours.after(at), theirs.after(there)];
      return following.length > 0 && theirFollowing.length > 0
        ? meets(following, theirFollowing)
        : meets(ours.before(at), theirs.before(there));
    });
    if (found !== -1) places.splice(found, 1);
    return found === -1;
  });
}

/** Whether one of them has the word next to the operator that the other has near it. */
function meets(one: readonly Token[], other: readonly Token[]): boolean {
  const [first, second] = [one[0], other[0]];
  return (first !== undefined && has(other, first)) || (second !== undefined && has(one, second));
}

/**
 * What an operator bounds: the word behind it (adverbs apart), at the end of a sentence the one before. What is
 * refused or planned may stand further on: `asked the whole team to …`, `hoped by everyone that …`.
 */
function bounded(tokens: readonly Token[], at: number, around: Surroundings): Token[] {
  const following = around.after(at);
  if (following.length === 0) return around.before(at).slice(0, 1);
  const next = nearest(following);
  if (!withholds(tokens[at]?.norm ?? "")) return next;
  const link = tokens
    .slice(at + 1, at + 1 + linkReach)
    .findIndex(({ norm }) => norm === "to" || norm === "that");
  return link === -1 ? next : [...next, ...nearest(around.after(at + 1 + link))];
}

/** The first of some words that is no adverb. */
function nearest(words: readonly Token[]): Token[] {
  const found = words.find(({ norm }) => !norm.endsWith("ly")) ?? words[0];
  return found === undefined ? [] : [found];
}

function has(tokens: readonly Token[], { stem }: Token): boolean {
  return tokens.some((token) => areRelated(token.stem, stem));
}

interface Surroundings {
  /** The next words that say something, nearest first. */
  before(at: number): Token[];
  after(at: number): Token[];
}

function surroundings(tokens: readonly Token[]): Surroundings {
  const substance: Token[] = [];
  const counts = tokens.map((token) => {
    const before = substance.length;
    if (!isStopWord(token.norm) && operatorOf(token.norm) === null) substance.push(token);
    return before;
  });
  // An operator is no substance itself, so as much stands before it as before the word behind it.
  return {
    before: (at) => substance.slice(Math.max(0, (counts[at] ?? 0) - reach), counts[at]).reverse(),
    after: (at) => substance.slice(counts[at], (counts[at] ?? 0) + reach),
  };
}

/** `However, …` leads over from the sentence before, and bounds nothing in this one. */
function opensTheSentence({ norm, start }: Token): boolean {
  return start === 0 && (norm === "however" || norm === "so" || norm === "but");
}
