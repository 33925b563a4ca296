import {
  ingestWebPage,
  mapSite,
  type Note,
  type PublicError,
  type SitePages,
  sitePagesSchema,
  toPublicError,
} from "@proofroom/contracts";
import type { StepContext } from "@proofroom/runtime";
import { siteOf } from "../ingest/site/site.ts";
import { refusedByRobots, refusedRemedy } from "../ingest/web/refused-by-robots.ts";
import type { GatherPlan, GatherRequest } from "./gather.ts";

/**
 * @param clean whether a model takes out of the page what is not its content
 * @param site the map that has fetched the page already
 */
export function webPageRequest(url: string, { clean = false, site }: PageRequestOptions = {}): GatherRequest {
  const input = { url, ...(clean ? { clean } : {}), ...(site === undefined ? {} : { site }) };
  return { ref: url, kind: "web_page", job: { capability: ingestWebPage, input } };
}

interface PageRequestOptions {
  clean?: boolean | undefined;
  site?: string | undefined;
}

/**
 * The requests for a list of addresses, in its order, and what is to be known of the sites among them. In the place of a
 * site stand its pages, and those that its robots.txt keeps programs from; a page that is asked for twice is fetched once.
 * @param requestFor what one address asks for, and, where one has, which map has fetched it
 */
export async function requestsFor(
  context: StepContext,
  addresses: readonly string[],
  requestFor: (address: string, site: string | undefined) => GatherRequest,
): Promise<Pick<GatherPlan, "requests" | "notes">> {
  const sites = await mapsOf(context, addresses);
  const mappedBy = new Map<string, string>();
  for (const { found, artifact } of sites.values()) {
    if (found === undefined) continue;
    for (const page of Object.keys(found.fetched)) mappedBy.set(page, artifact);
  }
  const requests = new Map<string, GatherRequest>();
  const add = (request: GatherRequest) => {
    if (!requests.has(request.ref)) requests.set(request.ref, request);
  };
  for (const address of addresses) {
    const site = sites.get(address);
    if (site === undefined) add(requestFor(address, mappedBy.get(address)));
    else if (site.found === undefined) add(missing(address, site.error));
    else {
      for (const page of site.found.pages) add(requestFor(page, mappedBy.get(page)));
      for (const page of site.found.refused) add(missing(page, toPublicError(refusedByRobots(page))));
    }
  }
  const notes = [...sites].flatMap(([ref, { found }]) => (found === undefined ? [] : notesOn(ref, found)));
  return { requests: [...requests.values()], notes };
}

type Mapped =
  | { found: SitePages; artifact: string; error?: undefined }
  | { found?: undefined; artifact?: undefined; error: PublicError };

/** What was found of each address that asks for a site. */
async function mapsOf(context: StepContext, addresses: readonly string[]): Promise<Map<string, Mapped>> {
  const inputs = [...new Set(addresses)].filter((one) => siteOf(one) !== null).map((site) => ({ site }));
  const outcomes = inputs.length === 0 ? [] : await context.fanOut(mapSite, inputs);
  const sites = new Map<string, Mapped>();
  for (const { input, output, error } of outcomes) {
    if (error !== undefined) sites.set(input.site, { error });
    else {
      const found = await context.artifacts.readJson(output.artifact, sitePagesSchema);
      sites.set(input.site, { found, artifact: output.artifact });
    }
  }
  return sites;
}

function missing(ref: string, failure: PublicError): GatherRequest {
  return { ref, kind: "web_page", failure };
}

function notesOn(ref: string, { pages, found, more, note, forbidden, refused }: SitePages): Note[] {
  const notes: Note[] = [];
  if (note !== undefined) notes.push({ ref, message: note });
  if (more) {
    const seen = found === undefined ? "More pages than were taken" : `At least ${found} pages`;
    notes.push({
      ref,
      message: `${seen} were found below this address; the first ${pages.length} were taken.`,
      remedy: "Raise PROOFROOM_SITE_PAGES, or name the pages that matter.",
    });
  }
  const unnamed = forbidden - refused.length;
  if (unnamed > 0) {
    notes.push({
      ref,
      message: `The site's robots.txt asks programs not to fetch ${unnamed} ${refused.length === 0 ? "" : "more "}of its pages.`,
      remedy: refusedRemedy,
    });
  }
  return notes;
}
