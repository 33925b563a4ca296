import { isProofroomError, type SitePages } from "@proofroom/contracts";
import type { Dispatcher } from "undici";
import { type ParsePool, parserHeapMb } from "../parsing/parse-pool.ts";
import { decodePage } from "../web/decode-page.ts";
import type { Fetched } from "../web/fetch-bytes.ts";
import { type Counted, type FetchHereOptions, fetchCounted } from "../web/fetch-here.ts";
import { pageKind } from "../web/page-kind.ts";
import { createPublicDispatcher } from "../web/public-host.ts";
import { FoundPages, type Site } from "./site.ts";

export interface FindOptions extends FetchHereOptions {
  allowHosts: ReadonlySet<string>;
  parsing: ParsePool;
  /** The most pages. */
  most: number;
  /** Through which each page is fetched: it is counted against the run's budget. */
  counted: Counted;
  /** Told of each page that was had, under the address at which it is listed. */
  onFetched(page: string, fetched: Fetched): Promise<void>;
  /** How far the job is. */
  onFound(pages: number): void;
}

export type FoundSite = Pick<SitePages, "pages" | "found" | "more" | "forbidden" | "refused">;

/** So many of the pages that robots.txt keeps programs from are named. */
const mostNamed = 50;

/** Pages that are more links away from the first one are not looked for. */
export const deepest = 3;

/**
 * Follows the links of a site from this machine, nearest pages first, in the order in which they stand. Pages that
 * cannot be had lead no further; whoever reads them will say why.
 * @throws ProofroomError what the first page fails with; budget; or the signal's reason
 */
export async function findFromHere(site: Site, options: FindOptions): Promise<FoundSite> {
  const { allowHosts, robots, signal, most } = options;
  const dispatcher = await createPublicDispatcher({ allowHosts });
  const found = new FoundPages(most);
  const forbidden = new Set<string>();

  /** The pages that one page leads to and that were not known before. */
  async function newPagesOf(fetched: Fetched): Promise<string[]> {
    const added: string[] = [];
    for (const link of await linksOf(fetched, options)) {
      const page = site.pageAt(link);
      if (page === null || found.has(page) || forbidden.has(page)) continue;
      if (await isForbidden(new URL(page), options)) forbidden.add(page);
      else if (found.add(page)) added.push(page);
    }
    options.onFound(found.all.length);
    return added;
  }

  try {
    const first = await firstPage(site, dispatcher, options);
    const start = site.pageAt(first.finalUrl) ?? site.start.href;
    found.add(start);
    await options.onFetched(start, first);
    let level = await newPagesOf(first);
    for (let depth = 2; depth <= deepest && level.length > 0 && !found.isFull; depth += 1) {
      const next: string[] = [];
      for (const page of level) {
        if (found.isFull) break;
        await robots?.pace(new URL(page), { signal });
        const fetched = await fetchCounted(page, dispatcher, options).catch((error: unknown) => {
          signal.throwIfAborted();
          if (isProofroomError(error) && error.code !== "budget" && error.disposition.kind !== "wait")
            return null;
          throw error;
        });
        if (fetched === null) continue;
        await options.onFetched(page, fetched);
        next.push(...(await newPagesOf(fetched)));
      }
      level = next;
    }
    return {
      pages: found.all,
      found: found.seen,
      more: found.more,
      forbidden: forbidden.size,
      refused: [...forbidden].slice(0, mostNamed),
    };
  } finally {
    await dispatcher.destroy();
  }
}

/** Some servers know the path only without the slash at its end. */
async function firstPage(site: Site, dispatcher: Dispatcher, options: FindOptions): Promise<Fetched> {
  await options.robots?.pace(site.start, options);
  try {
    return await fetchCounted(site.start.href, dispatcher, options);
  } catch (error) {
    const bare = site.start.href.replace(/\/$/, "");
    if (!isProofroomError(error) || error.code !== "not_found" || site.start.pathname === "/") throw error;
    return fetchCounted(bare, dispatcher, options);
  }
}

async function isForbidden(url: URL, { robots, signal }: FindOptions): Promise<boolean> {
  try {
    await robots?.assertAllowed(url, signal);
    return false;
  } catch (error) {
    signal.throwIfAborted();
    if (isProofroomError(error) && error.code === "refused") return true;
    throw error;
  }
}

async function linksOf(fetched: Fetched, { parsing, signal }: FindOptions): Promise<string[]> {
  const { bytes, contentType, finalUrl } = fetched;
  if (pageKind(bytes, contentType, finalUrl).kind !== "html") return [];
  const payload = { html: decodePage(bytes, contentType), url: finalUrl };
  try {
    return await parsing.run<string[]>(new URL("./page-links.ts", import.meta.url), payload, {
      signal,
      timeoutMs: 10_000,
      maxOldSpaceMb: parserHeapMb,
    });
  } catch (error) {
    signal.throwIfAborted();
    if (isProofroomError(error)) return [];
    throw error;
  }
}
