import type { Identifiers } from "@proofroom/contracts";
import { doubtfulIdentifiers } from "./doubtful-identifiers.ts";
import type { Agreement } from "./texts-alike.ts";
import { agreedIdentifiers, contradict, type WorkCandidate, without, workEvidence } from "./work-evidence.ts";

/** Sources that are one work. */
interface Work {
  /** Their places in the list. */
  places: number[];
  /** What they say that it is, taken together. */
  identifiers: Identifiers;
}

interface Group {
  members: number[];
  identifiers: Identifiers[];
}

/** What more pages than these share (the address of a home page, say) does not tell them apart. */
const mostAlike = 6;

/**
 * Groups sources that are the same work: places in the list, each group and the list of groups in their order. It takes an
 * identifier or an address that they share; where that is only likely to mean the same (as where a site has one identifier in
 * all of its pages), their texts must agree as well. What
 * names different works is never put together: a duplicate is better than a work taken for another. The outcome does not
 * depend on the order.
 * @param agree how far the texts of two of them agree
 */
export async function groupWorks(
  candidates: readonly WorkCandidate[],
  agree: (one: number, other: number) => Promise<Agreement>,
): Promise<Work[]> {
  const evidence = candidates.map(workEvidence);
  const doubtful = await doubtfulIdentifiers(evidence, agree);
  const believed = evidence.map(({ identifiers }, at) => without(identifiers, doubtful[at] ?? new Set()));
  const strong = evidence.map(
    ({ identifierKeys, pages }, at) =>
      new Set([...identifierKeys.difference(doubtful[at] ?? new Set()), ...pages]),
  );
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

  for (const places of holders(strong)) unite(separate(places));
  const byReference = (one: number, other: number) =>
    compare(candidates[one]?.refs[0] ?? "", candidates[other]?.refs[0] ?? "");
  for (const places of holders(evidence.map(({ weak }) => weak))) {
    if (places.length > mostAlike) continue;
    const sorted = places.toSorted(byReference);
    for (const [at, one] of sorted.entries()) {
      for (const other of sorted.slice(at + 1)) {
        const several = separate([one, other]);
        if (several.length > 0 && (await agree(one, other)) === "whole") unite(several);
      }
    }
  }
  return [...new Set(groups)].map(({ members }) => ({
    places: members.toSorted((one, other) => one - other),
    identifiers: agreedIdentifiers(members.flatMap((member) => believed[member] ?? [])),
  }));
}

/** Who has each key, the keys in an order of their own. */
function holders(keysOf: readonly ReadonlySet<string>[]): number[][] {
  const places = new Map<string, number[]>();
  keysOf.forEach((keys, at) => {
    for (const key of keys) places.set(key, [...(places.get(key) ?? []), at]);
  });
  const shared = [...places].filter(([, all]) => all.length > 1);
  return shared.sort(([one], [other]) => compare(one, other)).map(([, all]) => all);
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
