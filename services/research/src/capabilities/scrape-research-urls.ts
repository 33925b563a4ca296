import { artifact, ingestVideo, scrapeResearchUrls } from "@proofroom/contracts";
import { classifyUrl } from "@proofroom/evidence";
import type { Handler } from "@proofroom/runtime";
import { type GatherRequest, gather } from "./gather.ts";
import { slugOf } from "./unique-names.ts";
import { requestsFor, webPageRequest } from "./web-page-request.ts";

/** Fetches the pages that were chosen among the search results, and has videos transcribed: one address a line, as a list or bare. */
export const handleScrapeResearchUrls: Handler<typeof scrapeResearchUrls> = async (_input, context) => {
  const list = (await context.artifacts.tryReadText(artifact.urlsToScrape)) ?? "";
  const lines = list.split(/\r\n?|\n/).map((line) => line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, "").trim());
  const addresses = new Set(lines.filter((line) => line !== "" && !line.startsWith("#")).map(bare));
  return gather(context, {
    name: scrapeResearchUrls.name,
    ...(await requestsFor(context, [...addresses], requestFor)),
    folder: ".nova/urls_from_research/",
    copyName: ({ title }) => slugOf(title),
  });
};

function bare(line: string): string {
  return line.replace(/^<(.*)>$/, "$1");
}

function requestFor(address: string, site: string | undefined): GatherRequest {
  const known = classifyUrl(address);
  if (typeof known !== "string" && known.class === "youtube_videos_urls") {
    return { ref: address, kind: "video", job: { capability: ingestVideo, input: { url: address } } };
  }
  const isWeb = URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
  if (isWeb) return webPageRequest(address, { site });
  return {
    ref: address,
    kind: "web_page",
    failure: { code: "invalid_input", message: "The line is not an http or https address." },
  };
}
