import type { Claim } from "./claim.ts";
import { completesName, type Ground, lacks, repeats } from "./ground.ts";
import { contentOf } from "./support.ts";
import type { Token } from "./tokens.ts";

/** A stretch of a claim, and the one sentence that says most of it. */
export interface Clause {
  tokens: readonly Token[];
  ground: Ground;
  /** Words of the stretch that this sentence does not have. */
  unsaid: readonly Token[];
}

const conjunctions: ReadonlySet<string> = new Set(
  "and or but while whereas where because so if when although though nor".split(" "),
);
const relatives: ReadonlySet<string> = new Set(["that", "which", "who", "whose"]);

/** What a further sentence costs, in unsaid words: a word that only another sentence has stays unsaid. */
const switchCost = 1.1;

/**
 * Divides a claim among the sentences that are to say it, so that as few words as can be are left unsaid. One
 * sentence hands over to another only where a clause ends (at punctuation or a conjunction): a subject from one
 * sentence before what another says of something else is said by neither.
 */
export function divide(claim: Claim, grounds: readonly Ground[]): Clause[] {
  const clauses: { ground: Ground; tokens: Token[] }[] = [];
  for (const [position, ground] of sharesOf(claim, grounds).entries()) {
    const token = claim.tokens[position];
    const last = clauses.at(-1);
    if (token === undefined) continue;
    if (last?.ground === ground) last.tokens.push(token);
    else clauses.push({ ground, tokens: [token] });
  }
  return clauses.map(({ ground, tokens }) => ({
    ground,
    tokens,
    unsaid: tokens.filter(
      (token) =>
        (lacks(ground, token, claim) && !completesName(ground, token, claim, grounds)) ||
        repeats(ground, tokens, token, claim),
    ),
  }));
}

/** For each word of the claim the sentence that is to say it: the cheapest way through all of them. */
function sharesOf(claim: Claim, grounds: readonly Ground[]): Ground[] {
  let costs = grounds.map(() => 0);
  const origins: number[][] = [];
  for (const [position, token] of claim.tokens.entries()) {
    const before = costs;
    const cheapest = before.indexOf(Math.min(...before));
    const origin = grounds.map((ground, at) =>
      (before[cheapest] ?? 0) + switchCost < (before[at] ?? 0) && mayTakeOver(claim, position, ground)
        ? cheapest
        : at,
    );
    origins.push(origin);
    costs = grounds.map((ground, at) => {
      const from = origin[at] ?? at;
      return (before[from] ?? 0) + (from === at ? 0 : switchCost) + (lacks(ground, token, claim) ? 1 : 0);
    });
  }
  let at = costs.indexOf(Math.min(...costs));
  const shares: Ground[] = [];
  for (const origin of origins.reverse()) {
    const ground = grounds[at];
    if (ground === undefined) break;
    shares.unshift(ground);
    at = origin[at] ?? at;
  }
  return shares;
}

/** Whether a clause begins here that another sentence may say. */
function mayTakeOver({ sentence, tokens }: Claim, position: number, ground: Ground): boolean {
  const [before, token] = [tokens[position - 1], tokens[position]];
  if (before === undefined || token === undefined) return false;
  if (conjunctions.has(token.norm) || conjunctions.has(before.norm)) return true;
  if (/[,;:()–—.!?]/.test(sentence.slice(before.end, token.start))) return true;
  // What follows a relative pronoun must be said of what stands before it.
  const spoken = relatives.has(token.norm) ? contentOf(tokens.slice(0, position)) : [];
  return spoken.some(({ stem }) => ground.tokens.some((other) => other.stem === stem));
}
