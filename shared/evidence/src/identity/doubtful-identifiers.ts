import type { Agreement } from "./texts-alike.ts";
import type { WorkEvidence } from "./work-evidence.ts";

/** One work has no more addresses than these at one site. */
const mostAtSite = 6;

/**
 * What is not believed of what pages state, for each of them: some sites have one identifier in all of their pages. Where a
 * site has it at several addresses whose texts do not agree, none of these pages is taken for that work by its word alone.
 * @param agree how far the texts of two of them agree
 */
export async function doubtfulIdentifiers(
  evidence: readonly WorkEvidence[],
  agree: (one: number, other: number) => Promise<Agreement>,
): Promise<ReadonlySet<string>[]> {
  const doubtful = evidence.map(() => new Set<string>());
  for (const [key, site] of statedAtSites(evidence)) {
    if (await isOneWork(site)) continue;
    for (const place of site) if (evidence[place]?.stated.has(key)) doubtful[place]?.add(key);
  }
  return doubtful;

  async function isOneWork(places: readonly number[]): Promise<boolean> {
    if (places.length > mostAtSite) return false;
    for (const [at, one] of places.entries()) {
      for (const other of places.slice(at + 1)) {
        if (!isSamePage(evidence[one], evidence[other]) && (await agree(one, other)) === "none") return false;
      }
    }
    return true;
  }
}

/** Each identifier that pages of a site state, with the pages of that site that have it, whether they state it or not. */
function statedAtSites(evidence: readonly WorkEvidence[]): [string, number[]][] {
  const sites = new Map<string, { key: string; places: number[]; isStated: boolean }>();
  for (const [place, { identifierKeys, stated, hosts }] of evidence.entries()) {
    for (const key of identifierKeys) {
      for (const host of hosts) {
        const name = `${host} ${key}`;
        const { places, isStated } = sites.get(name) ?? { places: [], isStated: false };
        sites.set(name, { key, places: [...places, place], isStated: isStated || stated.has(key) });
      }
    }
  }
  return [...sites.values()].flatMap(({ key, places, isStated }): [string, number[]][] =>
    isStated && places.length > 1 ? [[key, places]] : [],
  );
}

function isSamePage(one: WorkEvidence | undefined, other: WorkEvidence | undefined): boolean {
  return one !== undefined && other !== undefined && !one.pages.isDisjointFrom(other.pages);
}
