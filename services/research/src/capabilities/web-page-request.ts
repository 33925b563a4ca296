import {
  ingestWebPage,
  mapSite,
  type PublicError,
  type SitePages,
  sitePagesSchema,
} from "@proofroom/contracts";
import type { StepContext } from "@proofroom/runtime";
import { siteOf } from "../ingest/site/site.ts";
import type { GatherRequest } from "./gather.ts";

/** @param clean whether a model takes out of the page what is not its content */
export function webPageRequest(url: string, clean = false): GatherRequest {
  const input = clean ? { url, clean } : { url };
  return { ref: url, kind: "web_page", job: { capability: ingestWebPage, input } };
}

/**
 * The requests for a list of addresses, in its order. In the place of a site stand its pages, and what of it could not
 * be had; a page that is asked for twice is fetched once.
 */
export async function requestsFor(
  context: StepContext,
  addresses: readonly string[],
  requestFor: (address: string) => GatherRequest,
): Promise<GatherRequest[]> {
  const sites = addresses.filter((address) => siteOf(address) !== null);
  const inputs = sites.map((site) => ({ site }));
  const mapped = inputs.length === 0 ? [] : await context.fanOut(mapSite, inputs);
  const outcomes = new Map(mapped.map((outcome) => [outcome.input.site, outcome]));
  const requests = new Map<string, GatherRequest>();
  const add = (request: GatherRequest, key = request.ref) => {
    if (!requests.has(key)) requests.set(key, request);
  };
  for (const address of addresses) {
    const outcome = outcomes.get(address);
    if (outcome === undefined) add(requestFor(address));
    else if (outcome.error !== undefined) add(missing(address, outcome.error));
    else {
      const found = await context.artifacts.readJson(outcome.output.artifact, sitePagesSchema);
      if (found.note !== undefined) context.progress({ done: 0, message: found.note });
      for (const page of found.pages) add(requestFor(page));
      for (const [at, failure] of leftOut(found).entries())
        add(missing(address, failure), `${address} ${at}`);
    }
  }
  return [...requests.values()];
}

function missing(ref: string, failure: PublicError): GatherRequest {
  return { ref, kind: "web_page", failure };
}

function leftOut({ pages, more, forbidden }: SitePages): PublicError[] {
  const failures: PublicError[] = [];
  if (more) {
    failures.push({
      code: "too_large",
      message: `The site has more pages than the ${pages.length} that were taken.`,
      remedy: "Raise PROOFROOM_SITE_PAGES, or name the pages that matter.",
    });
  }
  if (forbidden > 0) {
    failures.push({
      code: "unreachable",
      message: `The site's robots.txt asks programs not to fetch ${forbidden === 1 ? "one of its pages" : `${forbidden} of its pages`}.`,
      remedy: "Ask the site's owner, or open the pages in a browser and give their text as local files.",
    });
  }
  return failures;
}
