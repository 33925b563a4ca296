import { withholds } from "./operators.ts";
import type { TokenRun } from "./quotes.ts";
import { passageAt, type SourceLookup } from "./source-index.ts";
import { isNegation, type Token } from "./tokens.ts";

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
 * Whether the words stand in a sentence that takes them back, only hopes for them or says them under a condition: “It
 * is not true that …”, “It is planned that …”, “… is a myth”, “Only …”, “… unless …”.
 */
export function isInDoubt(lookup: SourceLookup, run: TokenRun): boolean {
  const first = lookup.passages[passageAt(lookup, run.from)];
  const last = lookup.passages[passageAt(lookup, run.to - 1)];
  const before = lookup.tokens.slice(first?.from ?? run.from, run.from);
  const after = lookup.tokens.slice(run.to, Math.min(run.to + 4, last?.to ?? run.to));
  return (
    before.some(({ norm }) => doubtBefore.has(norm) || isNegation(norm)) ||
    before.some(({ norm }, at) => withholds(norm) && leadsOver(before.slice(at + 1))) ||
    after.some(({ norm }) => doubtAfter.has(norm)) ||
    conditions.has(after[0]?.norm ?? "")
  );
}

/** How many words may stand between a verb and its `that`. */
const reach = 4;

/** Whether a verb bears on what follows these words: `hoped` on what is behind `that`, `asked` behind `the team to`. */
function leadsOver(between: readonly Token[]): boolean {
  return (
    between.length < 2 ||
    between.at(-1)?.norm === "to" ||
    between.slice(0, reach).some(({ norm }) => norm === "that")
  );
}
