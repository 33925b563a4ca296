import type { ingestWebPage } from "@proofroom/contracts";
import type { Models, OutsideCalls } from "@proofroom/models";
import type { Handler } from "@proofroom/runtime";
import { storeSource } from "../document/stored-source.ts";
import type { PageCache } from "../page-cache/page-cache.ts";
import { handedPage } from "../site/handed-pages.ts";
import { createCleanPage } from "./clean-page.ts";
import { countedFor } from "./counted-for.ts";
import { type FetchPageDeps, fetchPage } from "./fetch-page.ts";

export interface WebPageDeps extends FetchPageDeps {
  /** Who cleans a page where that is asked for. */
  models: Models;
  /** Through which pages are fetched: they are counted against the run's budget. */
  calls: OutsideCalls;
  /** Where pages are looked for that other runs have fetched: those are not counted. */
  pageCache: PageCache;
}

/**
 * The handler of ingest_web_page: fetches a page or a document over HTTP(S) and stores its readable text as a
 * source. One that the map of its site has fetched is taken from there. What is no content (errors, bot checks, login
 * walls, empty pages) fails and stores no source; what the map has kept of it stays with the map. The cache keeps pages as
 * they were fetched: a model cleans them for one run.
 */
export function createIngestWebPage(deps: WebPageDeps): Handler<typeof ingestWebPage> {
  const cleanPage = createCleanPage(deps.models);
  return async ({ url, clean = false, site }, context) => {
    const { signal, artifacts, generation } = context;
    const counted = countedFor(context, deps.calls);
    const handed = site === undefined ? null : await handedPage(artifacts, { url, site, generation });
    const fetch = () => fetchPage(url, { ...deps, signal, counted, handed });
    const source = await deps.pageCache.through(url, fetch, { ...context, isAnew: handed !== null });
    return storeSource(context, clean ? await cleanPage(source, context) : source);
  };
}
