import { scrapeResearchUrls } from "@proofroom/contracts";
import type { Handler } from "@proofroom/runtime";
import { type GatherRequest, gather } from "./gather.ts";
import { slugOf } from "./unique-names.ts";
import { webPageRequest } from "./web-page-request.ts";

const chosen = ".nova/urls_to_scrape_from_research.md";

/** Fetches the pages that were chosen among the search results: one address a line, as a list or bare. */
export const handleScrapeResearchUrls: Handler<typeof scrapeResearchUrls> = async (_input, context) => {
  const list = (await context.artifacts.tryReadText(chosen)) ?? "";
  const lines = list.split(/\r\n?|\n/).map((line) => line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, "").trim());
  const addresses = new Set(lines.filter((line) => line !== "" && !line.startsWith("#")).map(bare));
  return gather(context, {
    name: scrapeResearchUrls.name,
    requests: [...addresses].map(requestFor),
    folder: ".nova/urls_from_research/",
    copyName: ({ title }) => slugOf(title),
  });
};

function bare(line: string): string {
  return line.replace(/^<(.*)>$/, "$1");
}

function requestFor(address: string): GatherRequest {
  const isWeb = URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
  if (isWeb) return webPageRequest(address);
  return {
    ref: address,
    kind: "web_page",
    failure: { code: "invalid_input", message: "The line is not an http or https address." },
  };
}
