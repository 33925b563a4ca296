import { findNumbers, isNumberWord, sameNumber } from "./numbers.ts";
import { contentOf } from "./support.ts";
import type { Token } from "./tokens.ts";

/** Words of a claim that stand where a sentence of the source has others. */
export interface Substitution {
  claim: string;
  evidence: string;
  /** One figure or one name was exchanged for another: that is never a matter of style. */
  factual: boolean;
}

/** Texts that share less than this, word for word and in order, are told in other words altogether. */
const nearlyEqual = 0.5;
const longestGap = 3;

/**
 * Lays a claim beside a sentence that it nearly repeats, and answers where one or a few words were exchanged for
 * others. One exchanged word can make a true sentence false, however much of the rest agrees.
 */
export function substitutions(claim: readonly Token[], evidence: readonly Token[]): Substitution[] {
  const aligned = align(claim, evidence);
  if (aligned.length < nearlyEqual * claim.length) return [];
  const found: Substitution[] = [];
  const frames = [...aligned, [claim.length, null] as const];
  let [lastClaim, lastEvidence] = [-1, -1];
  for (const [inClaim, inEvidence] of frames) {
    const ours = claim.slice(lastClaim + 1, inClaim);
    const after = lastEvidence + 1;
    const theirs = evidence.slice(after, inEvidence ?? after + ours.length);
    const starts = lastClaim === -1;
    if (!starts && ours.length <= longestGap && theirs.length <= longestGap && exchanged(ours, theirs)) {
      found.push({ claim: wordsOf(ours), evidence: wordsOf(theirs), factual: isFactual(ours, theirs) });
    }
    [lastClaim, lastEvidence] = [inClaim, inEvidence ?? evidence.length];
  }
  return found;
}

/** Small words that change what a sentence claims when they are exchanged. */
const quantifying: ReadonlySet<string> = new Set(
  `may might can could must should will would always often sometimes all every some most many few only more less
  because although though despite unless if even when whenever until before after from to into by against for with`.split(
    /\s+/,
  ),
);

function exchanged(ours: readonly Token[], theirs: readonly Token[]): boolean {
  const [mine, other] = [weighty(ours), weighty(theirs)];
  if (mine.length === 0 || other.length === 0) return false;
  if (sameQuantity(wordsOf(ours), wordsOf(theirs))) return false;
  return !mine.some((a) => other.some((b) => a.stem === b.stem || alike(a.stem, b.stem)));
}

function weighty(tokens: readonly Token[]): Token[] {
  const content = new Set(contentOf(tokens));
  return tokens.filter((token) => content.has(token) || quantifying.has(token.norm));
}

function alike(a: string, b: string): boolean {
  return a.length >= 5 && a.slice(0, 5) === b.slice(0, 5);
}

/** `30 s` and `30 seconds`, `3` and `three`, and words that only Markdown had taken apart. */
function sameQuantity(ours: string, theirs: string): boolean {
  if (ours.replaceAll(" ", "") === theirs.replaceAll(" ", "")) return true;
  const [mine, other] = [ours, theirs].map((words) => findNumbers(/\d/.test(words) ? words : `1 ${words}`));
  const known =
    mine?.length === 1 && other?.length === 1 && mine[0]?.dimension !== "" && other[0]?.dimension !== "";
  const spelled = mine?.at(-1)?.spelled === true || other?.at(-1)?.spelled === true;
  const [a, b] = [mine?.at(-1), other?.at(-1)];
  return (known || spelled) && a !== undefined && b !== undefined && sameNumber(a, b);
}

const ordinals: ReadonlySet<string> = new Set(
  "first second third fourth fifth sixth seventh eighth ninth tenth".split(" "),
);

function isFactual(ours: readonly Token[], theirs: readonly Token[]): boolean {
  const [mine, other] = [ours, theirs].map((tokens) => ({
    figure: tokens.some(({ norm }) => /^\p{N}/u.test(norm) || ordinals.has(norm) || isNumberWord(norm)),
    name: contentOf(tokens).some(({ named }) => named),
  }));
  return (mine?.figure === true && other?.figure === true) || (mine?.name === true && other?.name === true);
}

function wordsOf(tokens: readonly Token[]): string {
  return tokens.map(({ norm }) => norm).join(" ");
}

/** A longest common subsequence of words, as pairs of positions. */
function align(claim: readonly Token[], evidence: readonly Token[]): [claim: number, evidence: number][] {
  const width = evidence.length + 1;
  const lengths = new Uint16Array((claim.length + 1) * width);
  for (let i = claim.length - 1; i >= 0; i -= 1) {
    for (let j = evidence.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        claim[i]?.norm === evidence[j]?.norm
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
    }
  }
  const pairs: [number, number][] = [];
  let [i, j] = [0, 0];
  while (i < claim.length && j < evidence.length) {
    if (claim[i]?.norm === evidence[j]?.norm) pairs.push([i++, j++]);
    else if ((lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)) i += 1;
    else j += 1;
  }
  return pairs;
}
