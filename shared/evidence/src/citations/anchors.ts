import { type NumberMention, sameNumber } from "./numbers.ts";
import { contentOf } from "./support.ts";
import type { Token } from "./tokens.ts";

/** How many words back a number's own word is looked for. */
const reach = 4;

/** Whether the evidence has a number behind the word that the claim has it behind: this one, another one, or none. */
export type Anchored = "same" | "other" | "none";

/**
 * For each number of a claim, what its evidence has behind the same word: `by Berg in 2022` is another where the
 * source says `by Berg in 2019 … by Reed in 2022`.
 */
export function anchoredNumbers(
  claim: { tokens: readonly Token[]; numbers: readonly NumberMention[] },
  evidence: { tokens: readonly Token[]; numbers: readonly NumberMention[] },
): Anchored[] {
  const there = Map.groupBy(evidence.numbers, (number) => anchorOf(number, evidence.tokens));
  return claim.numbers.map((number) => {
    const anchor = anchorOf(number, claim.tokens);
    const rivals = anchor === null ? undefined : there.get(anchor);
    if (rivals === undefined) return "none";
    return rivals.some((rival) => sameNumber(number, rival)) ? "same" : "other";
  });
}

/** The `from` or `to` right before a number, else the stem of the last word that says something; null where none is near. */
function anchorOf(number: NumberMention, tokens: readonly Token[]): string | null {
  const at = tokens.findIndex(({ end }) => end > number.start);
  const before = tokens.slice(Math.max(0, at - reach), Math.max(0, at));
  const last = before.at(-1)?.norm ?? "";
  if (last === "from" || last === "to") return last;
  return contentOf(before).findLast(({ norm }) => !/^\p{N}/u.test(norm))?.stem ?? null;
}
