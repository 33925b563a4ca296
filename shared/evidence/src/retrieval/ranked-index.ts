import type { Hit } from "./hit.ts";
import { terms } from "./terms.ts";

interface Fields {
  body: string;
  context: string;
}

export interface RankedIndex<Item> {
  /** All items that share a term with the query, best first; ties in the order of `compare`. */
  search(query: string): Hit<Item>[];
}

/** A term found only in headings or the title counts for half. */
const contextWeight = 0.5;

/** Gives other work of the process its turn. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A BM25 index over items, in memory. Scores are rounded so that ties are ties on every machine. */
export async function createIndex<Item>(
  items: readonly Item[],
  fields: (item: Item) => Fields,
  compare: (a: Item, b: Item) => number,
  signal?: AbortSignal,
): Promise<RankedIndex<Item>> {
  const { default: MiniSearch } = await import("minisearch");
  const documents = new Map<string, number>();
  const index = new MiniSearch<{ id: number } & Fields>({
    fields: ["body", "context"],
    tokenize: (joined) => joined.split(" "),
    processTerm: (term) => term,
    searchOptions: { boost: { context: contextWeight }, combineWith: "OR" },
  });
  for (let from = 0; from < items.length; from += 500) {
    signal?.throwIfAborted();
    await breathe();
    for (const [offset, item] of items.slice(from, from + 500).entries()) {
      const { body, context } = fields(item);
      const words = terms(body);
      for (const term of new Set(words)) documents.set(term, (documents.get(term) ?? 0) + 1);
      index.add({ id: from + offset, body: words.join(" "), context: terms(context).join(" ") });
    }
  }

  const rarity = (term: string) => Math.log(1 + (items.length + 1) / ((documents.get(term) ?? 0) + 0.5));

  return {
    search(query) {
      const wanted = new Map([...new Set(terms(query))].map((term) => [term, rarity(term)]));
      let total = 0;
      for (const weight of wanted.values()) total += weight;
      if (total === 0) return [];
      return index
        .search([...wanted.keys()].join(" "))
        .map((result) => {
          let covered = 0;
          for (const [term, where] of Object.entries(result.match)) {
            covered += (wanted.get(term) ?? 0) * (where.includes("body") ? 1 : contextWeight);
          }
          return {
            item: items[result.id as number] as Item,
            score: Math.round(result.score * 1e6) / 1e6,
            coverage: Math.round((covered / total) * 1e6) / 1e6,
          };
        })
        .sort((a, b) => b.score - a.score || compare(a.item, b.item));
    },
  };
}
