import type { Source } from "@proofroom/contracts";
import { noContent } from "../web/extract-readable.ts";
import { refusedStatus } from "../web/fetch-error.ts";
import { notContent } from "../web/not-content.ts";
import { type PageSourceOptions, pageSource } from "../web/page-source.ts";
import { assertPublicHost } from "../web/public-host.ts";
import type { ScrapedPage } from "./firecrawl-client.ts";

/** The header of the site's own answer is not known. */
const noHeaders = new Headers();

/**
 * What Firecrawl delivered, as a source. It is read as a page that was fetched here, by the same rules of what is
 * content; Firecrawl's own reading serves where there is no HTML, as of a PDF.
 * @throws ProofroomError as pageSource, refusedStatus and assertPublicHost
 */
export async function scrapedSource(
  ref: string,
  scraped: ScrapedPage,
  options: PageSourceOptions & { allowHosts: ReadonlySet<string> },
): Promise<Source> {
  const { status = 200, finalUrl } = scraped;
  if (status < 200 || status > 299) throw refusedStatus(status, noHeaders, options.now());
  const url = URL.canParse(finalUrl) && /^https?:$/.test(new URL(finalUrl).protocol) ? finalUrl : ref;
  await assertPublicHost(new URL(url), options);
  const isHtml = scraped.contentType === "" || /html/i.test(scraped.contentType);
  const source =
    isHtml && scraped.html.trim() !== ""
      ? await read(ref, scraped.html, "text/html", url, options)
      : await ownReading(ref, scraped, url, options);
  return { ...source, provenance: { ...source.provenance, method: "firecrawl" } };
}

function read(ref: string, text: string, type: string, finalUrl: string, options: PageSourceOptions) {
  const contentType = `${type}; charset=utf-8`;
  return pageSource(ref, { bytes: Buffer.from(text), contentType, finalUrl }, options);
}

async function ownReading(
  ref: string,
  { markdown, title }: ScrapedPage,
  url: string,
  options: PageSourceOptions,
): Promise<Source> {
  const name = title.replace(/\s+/g, " ").trim();
  const problem = notContent({ title: name, text: withoutTargets(markdown), html: "" });
  if (problem !== null) throw noContent(problem);
  const text = name === "" || /^\s*# \S/.test(markdown) ? markdown : `# ${name}\n\n${markdown}`;
  return read(ref, text, "text/markdown", url, options);
}

/** Addresses are no text to read. */
function withoutTargets(markdown: string): string {
  return markdown.replace(/\]\([^()\s]{0,2000}(?:\s"[^"]{0,300}")?\)/g, "]");
}
