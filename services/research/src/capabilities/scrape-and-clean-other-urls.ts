import { scrapeAndCleanOtherUrls } from "@proofroom/contracts";
import type { Handler } from "@proofroom/runtime";
import { gather } from "./gather.ts";
import { readReferences } from "./guideline-references.ts";
import { slugOf } from "./unique-names.ts";
import { requestsFor, webPageRequest } from "./web-page-request.ts";

/** Fetches the guideline's web pages, and those of the sites that it names, and has them cleaned where that is asked for. */
export const handleScrapeAndCleanOtherUrls: Handler<typeof scrapeAndCleanOtherUrls> = async (
  { clean },
  context,
) => {
  const { other_urls } = await readReferences(context);
  return gather(context, {
    name: scrapeAndCleanOtherUrls.name,
    ...(await requestsFor(context, other_urls, (url, site) => webPageRequest(url, { clean, site }))),
    folder: ".nova/urls_from_guidelines/",
    copyName: ({ title }) => slugOf(title),
  });
};
