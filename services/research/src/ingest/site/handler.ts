import { type mapSite, ProofroomError, type SitePages } from "@proofroom/contracts";
import type { OutsideCalls } from "@proofroom/models";
import type { Handler } from "@proofroom/runtime";
import { throughFirecrawl } from "../firecrawl/through-firecrawl.ts";
import { countedFor } from "../web/counted-for.ts";
import type { Fetched } from "../web/fetch-bytes.ts";
import type { FetchPageDeps } from "../web/fetch-page.ts";
import { findByFirecrawl } from "./find-by-firecrawl.ts";
import { type FindOptions, findFromHere } from "./find-from-here.ts";
import { HandedPages } from "./handed-pages.ts";
import { type Site, siteOf } from "./site.ts";

export interface MapSiteDeps extends FetchPageDeps {
  /** The most pages of one site. */
  sitePages: number;
  /** Through which pages are fetched: they are counted against the run's budget. */
  calls: OutsideCalls;
}

type Found = Omit<SitePages, "v" | "ref" | "fetched" | "generation">;

/** The handler of map_site: lists the pages of a site, through Firecrawl where that is set up, else from here. */
export function createMapSite(deps: MapSiteDeps): Handler<typeof mapSite> {
  return async ({ site: ref }, context) => {
    const site = siteOf(ref);
    if (site === null) {
      throw new ProofroomError({
        code: "invalid_input",
        message: "This is not the address of a site.",
        remedy: "Give an http or https address that ends with /*.",
      });
    }
    const { stepId, generation, signal, artifacts } = context;
    const counted = countedFor(context, deps.calls);
    const onFound = (done: number) => context.progress({ done, message: `${done} pages found` });
    const handed = new HandedPages(context, deps.now);
    const onFetched = (page: string, fetched: Fetched) => handed.keep(page, fetched);
    const most = deps.sitePages;
    const found = await find(site, { ...deps, signal, most, counted, onFetched, onFound });
    if (found.pages.length === 0) {
      throw new ProofroomError({
        code: "no_evidence",
        message: "No pages were found below this address.",
        remedy: "Check the address, or name the pages one by one.",
      });
    }
    const artifact = `.nova/sites/${stepId}.json`;
    await artifacts.writeJson(artifact, {
      v: 1,
      ref,
      ...found,
      generation,
      fetched: handed.all,
    } satisfies SitePages);
    return { pages: found.pages.length, artifact };
  };
}

async function find(site: Site, options: FindOptions & FetchPageDeps): Promise<Found> {
  const { firecrawl } = options;
  if (firecrawl === undefined) return { method: "http", ...(await findFromHere(site, options)) };
  const { value, why } = await throughFirecrawl(
    firecrawl,
    site.start,
    (one) => options.counted(site.start.href, () => findByFirecrawl(one, site, options)),
    options,
  );
  if (why === undefined) return { method: "firecrawl", ...value };
  const note = `Found without Firecrawl: ${why.message}`;
  // The pages themselves go through Firecrawl where they can.
  const onFetched = async () => undefined;
  return { method: "http", note, ...(await findFromHere(site, { ...options, onFetched })) };
}
