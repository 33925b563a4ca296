import type { TokenRun } from "./quotes.ts";
import { passageAt, type SourceLookup } from "./source-index.ts";
import { isNegation } from "./tokens.ts";

/** What takes the words behind it back, or narrows them. */
const doubtBefore: ReadonlySet<string> = new Set(
  `false untrue wrong incorrect myth misconception unless if deny denies denied allegedly supposedly claim claims
  claimed doubt only most some few many several rarely seldom`.split(/\s+/),
);
const doubtAfter: ReadonlySet<string> = new Set(
  "false untrue wrong incorrect myth misconception not".split(" "),
);
/** What makes a condition or an exception of the words that follow. */
const conditions: ReadonlySet<string> = new Set(
  "unless except only if provided until but although though when whenever while without".split(" "),
);

/**
 * Whether the words stand in a sentence that takes them back or says them under a condition: “It is not true that
 * …”, “… is a myth”, “Only …”, “… unless …”.
 */
export function isInDoubt(lookup: SourceLookup, run: TokenRun): boolean {
  const first = lookup.passages[passageAt(lookup, run.from)];
  const last = lookup.passages[passageAt(lookup, run.to - 1)];
  const before = lookup.tokens.slice(first?.from ?? run.from, run.from);
  const after = lookup.tokens.slice(run.to, Math.min(run.to + 4, last?.to ?? run.to));
  return (
    before.some(({ norm }) => doubtBefore.has(norm) || isNegation(norm)) ||
    after.some(({ norm }) => doubtAfter.has(norm)) ||
    conditions.has(after[0]?.norm ?? "")
  );
}
