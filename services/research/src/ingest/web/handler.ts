import type { ingestWebPage } from "@proofroom/contracts";
import type { Models, OutsideCalls } from "@proofroom/models";
import type { Handler } from "@proofroom/runtime";
import { storeSource } from "../document/stored-source.ts";
import type { PageCache } from "../page-cache/page-cache.ts";
import { createCleanPage } from "./clean-page.ts";
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
 * source. What is no content (errors, bot checks, login walls, empty pages) fails and leaves nothing behind. The cache
 * keeps pages as they were fetched: a model cleans them for one run.
 */
export function createIngestWebPage(deps: WebPageDeps): Handler<typeof ingestWebPage> {
  const cleanPage = createCleanPage(deps.models);
  return async ({ url, clean = false }, context) => {
    const { runId, stepId, generation, signal } = context;
    const asker = { runId, stepId, generation };
    const fetch = () => deps.calls.page({ asker, url, signal }, () => fetchPage(url, { ...deps, signal }));
    const source = await deps.pageCache.through(url, fetch, context);
    return storeSource(context, clean ? await cleanPage(source, context) : source);
  };
}
