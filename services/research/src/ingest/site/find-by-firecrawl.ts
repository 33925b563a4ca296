import type { Firecrawl } from "../firecrawl/firecrawl-client.ts";
import { deepest, type FoundSite } from "./find-from-here.ts";
import { FoundPages, type Site } from "./site.ts";

/** Addresses that a map may list; those outside the site are among them. */
const mostMapped = 1_000;

/**
 * Asks Firecrawl for the pages of a site: for its map, which costs next to nothing, and for a crawl, which costs as much
 * as reading the pages, only where the map knows nothing but the first one. Neither is in a certain order, so the pages
 * are put in one: those nearest to the start first, then by their addresses.
 * @throws ProofroomError as Firecrawl; or the signal's reason
 */
export async function findByFirecrawl(
  firecrawl: Firecrawl,
  site: Site,
  { most, signal }: { most: number; signal: AbortSignal },
): Promise<FoundSite> {
  const { href, pathname } = site.start;
  const mapped = pagesOf(site, await firecrawl.map(href, { signal, limit: mostMapped }));
  const crawled =
    mapped.length > 1
      ? []
      : await firecrawl.crawl(href, { signal, limit: most, depth: deepest, path: `^${escaped(pathname)}` });
  const found = new FoundPages(most);
  for (const page of [...new Set([...mapped, ...pagesOf(site, crawled)])].sort(byNearness)) found.add(page);
  return { pages: found.all, found: found.seen, more: found.more, forbidden: 0, refused: [] };
}

function pagesOf(site: Site, addresses: readonly string[]): string[] {
  return addresses.flatMap((address) => site.pageAt(address) ?? []);
}

function byNearness(one: string, other: string): number {
  const nearness = partsOf(one) - partsOf(other);
  if (nearness !== 0) return nearness;
  return one < other ? -1 : 1;
}

function partsOf(page: string): number {
  return new URL(page).pathname.split("/").filter((part) => part !== "").length;
}

/** A path as a regular expression that matches it literally. */
function escaped(path: string): string {
  return path.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
