import type { Claim } from "./claim.ts";
import type { Clause } from "./clauses.ts";
import { addedOperators, droppedOperators } from "./compared-operators.ts";
import type { Token } from "./tokens.ts";
import { reversedAround } from "./word-order.ts";

/** What a claim says beyond the sentences that it rests on, as reasons: words they lack, bounds they have, another order. */
export function beyondEvidence(claim: Claim, clauses: readonly Clause[]): string[] {
  const asWritten = ({ start, end }: Token) => `“${claim.sentence.slice(start, end)}”`;
  const unsaid = clauses
    .flatMap((clause) => [...clause.unsaid, ...addedOperators(clause)])
    .sort((a, b) => a.start - b.start);
  const reasons =
    unsaid.length === 0
      ? []
      : [`The evidence does not say ${[...new Set(unsaid.map(asWritten))].join(", ")} there.`];
  const dropped = clauses.flatMap(droppedOperators).map(({ norm }) => `“${norm}”`);
  if (dropped.length > 0)
    reasons.push(
      `The evidence says it with ${[...new Set(dropped)].join(", ")}, which the sentence leaves out.`,
    );
  for (const { tokens, ground } of clauses) {
    const pivot = reversedAround(tokens, ground.tokens);
    if (pivot !== null) reasons.push(`What stands before and after “${pivot}” has changed places.`);
  }
  return reasons;
}
