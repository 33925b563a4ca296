import { operatorOf } from "./operators.ts";
import { contentOf } from "./support.ts";
import type { Token } from "./tokens.ts";

/** Prepositions, around which things can change places as they can around a verb. */
const prepositions: ReadonlySet<string> = new Set(
  "as at by for from in into of on onto per through to toward towards upon via with".split(" "),
);

/**
 * Looks for two things that have changed places around a third (`A calls B`, `B calls A`; `from A to B`, `from B to
 * A`) and answers that third. A part of a sentence that only moved to another place (`In tests, …`) never does that.
 * The passive against the active says the same, as long as the one who acts does.
 */
export function reversedAround(claim: readonly Token[], evidence: readonly Token[]): string | null {
  const [agent, theirAgent] = [agentOf(claim), agentOf(evidence)];
  if (agent !== null && theirAgent === null) return wronglyDone(claim, agent, evidence);
  if (agent === null && theirAgent !== null) return wronglyDone(evidence, theirAgent, claim);
  const [ours, theirs] = [placesOf(claim), placesOf(evidence)];
  const shared = [...ours].flatMap(([stem, found]) => {
    const there = theirs.get(stem) ?? [];
    // Of a word that stands more often on one side, nobody can tell which of them is which.
    if (there.length !== found.length) return [];
    return found.map((at, nth) => ({ token: claim[at], ours: at, theirs: there[nth] ?? 0 }));
  });
  const pivot = shared.find(
    (middle) =>
      shared.some((one) => one.ours < middle.ours && one.theirs > middle.theirs) &&
      shared.some((one) => one.ours > middle.ours && one.theirs < middle.theirs),
  );
  return pivot?.token?.norm ?? null;
}

/** Where the one who acts stands in a passive (`is written by the leader`): no figure, no `by doing so`. */
function agentOf(tokens: readonly Token[]): number | null {
  const by = tokens.findIndex(({ norm }) => norm === "by");
  const [agent] = by === -1 ? [] : contentOf(tokens.slice(by + 1));
  return agent === undefined || /^\p{N}|ing$/u.test(agent.norm) ? null : tokens.indexOf(agent);
}

/** Whether the one who acts in the passive is acted upon in the active: there it stands behind what is done. */
function wronglyDone(passive: readonly Token[], agent: number, active: readonly Token[]): string | null {
  const placeOf = (token: Token | undefined) => active.findIndex(({ stem }) => stem === token?.stem);
  const there = placeOf(passive[agent]);
  const deed = contentOf(passive.slice(0, agent)).findLast((token) => placeOf(token) !== -1);
  return there !== -1 && deed !== undefined && placeOf(deed) < there ? deed.norm : null;
}

function placesOf(tokens: readonly Token[]): Map<string, number[]> {
  const content = new Set(contentOf(tokens));
  const places = new Map<string, number[]>();
  for (const [at, token] of tokens.entries()) {
    if (!content.has(token) && !prepositions.has(token.norm) && operatorOf(token.norm) === null) continue;
    const known = places.get(token.stem);
    if (known === undefined) places.set(token.stem, [at]);
    else known.push(at);
  }
  return places;
}
