import type { ingestWebPage } from "@proofroom/contracts";
import type { Models } from "@proofroom/models";
import type { Handler } from "@proofroom/runtime";
import { storeSource } from "../document/stored-source.ts";
import { createCleanPage } from "./clean-page.ts";
import { type FetchPageDeps, fetchPage } from "./fetch-page.ts";

export interface WebPageDeps extends FetchPageDeps {
  /** Who cleans a page where that is asked for. */
  models: Models;
}

/**
 * The handler of ingest_web_page: fetches a page or a document over HTTP(S) and stores its readable text as a
 * source. What is no content (errors, bot checks, login walls, empty pages) fails and leaves nothing behind.
 */
export function createIngestWebPage(deps: WebPageDeps): Handler<typeof ingestWebPage> {
  const cleanPage = createCleanPage(deps.models);
  return async ({ url, clean = false }, context) => {
    const source = await fetchPage(url, { ...deps, signal: context.signal });
    return storeSource(context, clean ? await cleanPage(source, context) : source);
  };
}
