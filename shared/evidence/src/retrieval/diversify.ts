import type { Hit } from "./hit.ts";
import { jaccard } from "./terms.ts";

export interface DiversifyOptions<Item> {
  limit: number;
  /** 0 to 1: the weight of being unlike what is chosen. */
  diversity: number;
  /** Most items of one group. */
  perGroup: number;
  group: (item: Item) => string;
  terms: (item: Item) => ReadonlySet<string>;
}

/** Of a long list only the best are compared with each other. */
const pool = 200;

/**
 * Maximal marginal relevance (Carbonell and Goldstein, 1998) over ranked hits: each choice weighs its score against
 * its likeness to the choices before it. Of equals the earlier stays first.
 */
export function diversify<Item>(
  hits: readonly Hit<Item>[],
  { limit, diversity, perGroup, group, terms }: DiversifyOptions<Item>,
): Hit<Item>[] {
  const best = hits[0]?.score ?? 0;
  const candidates = hits
    .slice(0, Math.max(pool, limit))
    .map((hit) => ({ hit, terms: terms(hit.item), likeness: 0 }));
  const chosen: Hit<Item>[] = [];
  const counts = new Map<string, number>();
  while (chosen.length < limit && candidates.length > 0) {
    let at = -1;
    let top = Number.NEGATIVE_INFINITY;
    for (const [index, candidate] of candidates.entries()) {
      const value =
        (1 - diversity) * (best > 0 ? candidate.hit.score / best : 0) - diversity * candidate.likeness;
      if (value > top) {
        top = value;
        at = index;
      }
    }
    const [taken] = candidates.splice(at, 1);
    if (taken === undefined) break;
    const name = group(taken.hit.item);
    const count = counts.get(name) ?? 0;
    if (count >= perGroup) continue;
    counts.set(name, count + 1);
    chosen.push(taken.hit);
    for (const candidate of candidates) {
      candidate.likeness = Math.max(candidate.likeness, jaccard(candidate.terms, taken.terms));
    }
  }
  return chosen;
}
