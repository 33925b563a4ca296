import { contentOf } from "./support.ts";
import { isNegation, type Token } from "./tokens.ts";

/** Words behind which the exceptions from a statement stand, or what speaks against it. */
const turning: ReadonlySet<string> = new Set(
  "unless except excluding but although though however whereas despite".split(" "),
);

/** Words by which a sentence says of a statement that it does not hold, or that others make it. */
const disowning: ReadonlySet<string> = new Set(
  "false untrue wrong incorrect myth misconception deny denies denied allegedly supposedly".split(" "),
);
/** Words that disown a statement where they are negated. */
const owning: ReadonlySet<string> = new Set("true correct accurate case".split(" "));

/**
 * Looks for what a claim leaves out of its evidence and thereby makes wider: an exception, a “but” between things that
 * the claim puts side by side, or that the evidence calls it untrue. Words such as `only` and `most` are compared
 * elsewhere (`droppedOperators`). Answers reasons.
 */
export function droppedLimits(claim: readonly Token[], evidence: readonly Token[]): string[] {
  const said = new Set(claim.map(({ norm }) => norm));
  const stems = new Set(contentOf(claim).map(({ stem }) => stem));
  const dropped: Token[] = [];
  if (turning.isDisjointFrom(said)) dropped.push(...turns(evidence, stems));
  if (disowning.isDisjointFrom(said)) dropped.push(...evidence.filter(({ norm }) => disowning.has(norm)));
  if (owning.isDisjointFrom(said)) {
    const negated = (at: number) =>
      evidence.slice(Math.max(0, at - 2), at).some(({ norm }) => isNegation(norm));
    dropped.push(...evidence.filter(({ norm }, at) => owning.has(norm) && negated(at)));
  }
  return [...new Set(dropped.map(({ norm }) => norm))].map(
    (word) => `The evidence takes back or limits what it says (“${word}”), the sentence does not.`,
  );
}

/** An exception that follows what the claim repeats, and a contrast between two things that it repeats. */
function turns(evidence: readonly Token[], stems: ReadonlySet<string>): Token[] {
  const content = new Set(contentOf(evidence));
  const repeated = (token: Token) => content.has(token) && stems.has(token.stem);
  const first = evidence.findIndex(repeated);
  const last = evidence.findLastIndex(repeated);
  return evidence.filter(({ norm }, at) => {
    if (!turning.has(norm) || first === -1 || first >= at) return false;
    return /^(?:unless|exce|excl)/.test(norm) || last > at;
  });
}
