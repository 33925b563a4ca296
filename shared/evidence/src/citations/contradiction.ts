import { contentOf, namesOf } from "./support.ts";
import { isNegation, type Token } from "./tokens.ts";

const opposites: ReadonlyMap<string, readonly string[]> = pairUp(
  `increase/decrease increase/reduce rise/fall grow/shrink fast/slow faster/slower more/less more/fewer most/least
  higher/lower high/low larger/smaller large/small bigger/smaller longer/shorter long/short before/after always/never
  enable/disable allow/forbid allow/prevent permit/forbid include/exclude accept/reject succeed/fail success/failure
  required/optional mandatory/optional better/worse best/worst maximum/minimum add/remove start/stop open/close
  public/private safe/dangerous true/false positive/negative same/different up/down cheap/expensive cheaper/costlier
  many/few strong/weak stronger/weaker early/late earlier/later improve/worsen gain/lose win/lose push/pull read/write
  first/last internal/external upper/lower inside/outside encrypt/decrypt buy/sell import/export client/server
  synchronous/asynchronous sync/async mutable/immutable static/dynamic default/optional all/none support/oppose`,
);

function pairUp(list: string): Map<string, string[]> {
  const map = new Map<string, string[]>();
  for (const pair of list.split(/\s+/)) {
    const [one = "", other = ""] = pair.split("/");
    map.set(one, [...(map.get(one) ?? []), other]);
    map.set(other, [...(map.get(other) ?? []), one]);
  }
  return map;
}

const negativePrefix = /^(?:un|in|im|ir|non|dis)/;

/**
 * Looks for signs that evidence says the opposite of a claim that it otherwise resembles: one of them negated, a
 * word replaced by its opposite, or two names in exchanged places. Answers reasons; empty where there is no sign.
 */
export function contradictions(claim: readonly Token[], evidence: readonly Token[]): string[] {
  const reasons: string[] = [];
  const evidenceStems = new Set(evidence.map(({ stem }) => stem));
  const claimStems = new Set(claim.map(({ stem }) => stem));
  const ours = negated(claim);
  const theirs = negated(evidence);
  const shared = (stems: ReadonlySet<string>, other: ReadonlySet<string>) =>
    [...stems].filter((stem) => other.has(stem));
  const oursShared = shared(ours.heads, evidenceStems);
  const theirsShared = shared(theirs.heads, claimStems);
  if (
    oursShared.some((stem) => !theirs.scope.has(stem)) ||
    (ours.heads.size > 0 && theirs.scope.size === 0)
  ) {
    reasons.push("The sentence denies what its evidence states.");
  }
  if (theirsShared.some((stem) => !ours.scope.has(stem))) {
    reasons.push("The evidence denies what the sentence states.");
  }
  const swapped = oppositeWords(claim, evidence, evidenceStems);
  if (swapped !== null)
    reasons.push(`The sentence says “${swapped.claim}” where its evidence says “${swapped.evidence}”.`);
  const excluded = oppositeByNon(claim, evidence) ?? oppositeByNon(evidence, claim);
  if (excluded !== null)
    reasons.push(`One of the sentence and its evidence says “${excluded}”, the other “non-${excluded}”.`);
  if (exchangedNames(claim, evidence)) reasons.push("Names stand in another order than in the evidence.");
  return reasons;
}

/**
 * What a text denies: the first content word after each negation, and the first three, since languages are free in
 * their order (“never stores passwords”, “passwords are never stored”). `not only` negates nothing.
 */
function negated(tokens: readonly Token[]): { heads: Set<string>; scope: Set<string> } {
  const heads = new Set<string>();
  const scope = new Set<string>();
  for (const [at, { norm, stem }] of tokens.entries()) {
    const next = tokens[at + 1]?.norm ?? "";
    if (!(isNegation(norm) || stem === "lack" || norm === "unable") || affirmed.has(next)) continue;
    const following = contentOf(tokens.slice(at + 1, at + 7)).slice(0, 3);
    for (const [position, token] of following.entries()) {
      if (position === 0) heads.add(token.stem);
      scope.add(token.stem);
    }
  }
  return { heads, scope };
}

const affirmed: ReadonlySet<string> = new Set(["only", "just", "merely", "necessarily"]);

function oppositeWords(
  claim: readonly Token[],
  evidence: readonly Token[],
  evidenceStems: ReadonlySet<string>,
): { claim: string; evidence: string } | null {
  const claimNorms = new Set(claim.flatMap(({ norm, stem }) => [norm, stem]));
  const evidenceNorms = new Set(evidence.flatMap(({ norm, stem }) => [norm, stem]));
  for (const token of claim) {
    if (evidenceNorms.has(token.norm) || evidenceStems.has(token.stem)) continue;
    const known =
      opposites.get(token.norm) ?? opposites.get(token.stem) ?? opposites.get(`${token.stem}e`) ?? [];
    const prefixed = evidence.find(
      ({ stem }) =>
        (negativePrefix.test(stem) && stem.replace(negativePrefix, "") === token.stem) ||
        (negativePrefix.test(token.stem) &&
          token.stem.replace(negativePrefix, "") === stem &&
          stem.length > 3),
    );
    const other =
      known.find((word) => evidenceNorms.has(word) || evidenceNorms.has(word.replace(/e$/, ""))) ??
      prefixed?.norm;
    if (other !== undefined && !claimNorms.has(other)) return { claim: token.norm, evidence: other };
  }
  return null;
}

/** A word that one text has behind `non` only, and the other without it only. */
function oppositeByNon(one: readonly Token[], other: readonly Token[]): string | null {
  const behindNon = (tokens: readonly Token[], at: number) => tokens[at - 1]?.norm === "non";
  const denied = one.find(({ stem }, at) => {
    const there = placesOf(other, stem);
    return behindNon(one, at) && there.length > 0 && !there.some((place) => behindNon(other, place));
  });
  return denied?.norm ?? null;
}

/** `A beats B` against `B beats A`: two names in exchanged places around the same word. */
function exchangedNames(claim: readonly Token[], evidence: readonly Token[]): boolean {
  const passive = (tokens: readonly Token[]) => tokens.some(({ norm }) => norm === "by");
  if (passive(claim) !== passive(evidence)) return false;
  const names = namesOfAll(claim);
  for (const [at, first] of names.entries()) {
    const second = names[at + 1];
    const [firstThere, ...moreOfFirst] = placesOf(evidence, first);
    const [secondThere, ...moreOfSecond] = placesOf(evidence, second ?? "");
    if (second === undefined || firstThere === undefined || secondThere === undefined) continue;
    if (moreOfFirst.length + moreOfSecond.length > 0 || firstThere < secondThere) continue;
    const between = contentOf(claim.slice(placesOf(claim, first)[0], placesOf(claim, second)[0])).slice(1);
    const betweenThere = new Set(evidence.slice(secondThere + 1, firstThere).map(({ stem }) => stem));
    if (between.some(({ stem }) => betweenThere.has(stem))) return true;
  }
  return false;
}

function placesOf(tokens: readonly Token[], stem: string): number[] {
  return tokens.flatMap((token, at) => (token.stem === stem ? [at] : []));
}

/** Names in order of appearance, the first word too where it is not an ordinary one. */
function namesOfAll(claim: readonly Token[]): string[] {
  const content = contentOf(claim);
  const first = content[0];
  const names = namesOf(content).map(({ stem }) => stem);
  return [...new Set(first?.start === 0 && first.named ? [first.stem, ...names] : names)];
}
