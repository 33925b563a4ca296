import type { Identifiers } from "@proofroom/contracts";
import { contradict, type WorkCandidate, type WorkEvidence, workEvidence } from "./work-evidence.ts";

interface Group {
  members: number[];
  identifiers: Identifiers[];
}

/** What more pages than these share (the address of a home page, say) does not tell them apart. */
const mostAlike = 6;

/**
 * Groups sources that are the same work: places in the list, each group and the list of groups in their order. It takes an
 * identifier or an address that they share; where that is only likely to mean the same, their texts must agree as well. What
 * names different works is never put together: a duplicate is better than a work taken for another. The outcome does not
 * depend on the order.
 * @param alike whether the texts of two of them agree
 */
export async function groupWorks(
  candidates: readonly WorkCandidate[],
  alike: (one: number, other: number) => Promise<boolean>,
): Promise<number[][]> {
  const evidence = candidates.map(workEvidence);
  const groups = evidence.map(
    ({ identifiers }, at): Group => ({ members: [at], identifiers: [identifiers] }),
  );

  /** The groups of some places, where they are several and may be one. */
  function separate(places: readonly number[]): Group[] {
    const several = [...new Set(places.map((place) => groups[place]))].filter((group) => group !== undefined);
    return several.length < 2 || contradict(several.flatMap(({ identifiers }) => identifiers)) ? [] : several;
  }

  function unite(several: readonly Group[]): void {
    const whole: Group = {
      members: several.flatMap(({ members }) => members),
      identifiers: several.flatMap(({ identifiers }) => identifiers),
    };
    for (const member of whole.members) groups[member] = whole;
  }

  for (const places of holders(evidence, "strong")) unite(separate(places));
  const byReference = (one: number, other: number) =>
    compare(candidates[one]?.refs[0] ?? "", candidates[other]?.refs[0] ?? "");
  for (const places of holders(evidence, "weak")) {
    if (places.length > mostAlike) continue;
    const sorted = places.toSorted(byReference);
    for (const [at, one] of sorted.entries()) {
      for (const other of sorted.slice(at + 1)) {
        const several = separate([one, other]);
        if (several.length > 0 && (await alike(one, other))) unite(several);
      }
    }
  }
  return [...new Set(groups)].map(({ members }) => members.toSorted((one, other) => one - other));
}

/** Who has each key, the keys in an order of their own. */
function holders(evidence: readonly WorkEvidence[], strength: "strong" | "weak"): number[][] {
  const places = new Map<string, number[]>();
  evidence.forEach((one, at) => {
    for (const key of one[strength]) places.set(key, [...(places.get(key) ?? []), at]);
  });
  const shared = [...places].filter(([, all]) => all.length > 1);
  return shared.sort(([one], [other]) => compare(one, other)).map(([, all]) => all);
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
