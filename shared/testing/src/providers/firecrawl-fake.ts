import type { Script } from "./fake-provider.ts";

/** A page as a fake Firecrawl has it. */
export interface FirecrawlPage {
  html?: string;
  markdown?: string;
  title?: string;
  /** After redirects; its own address where nothing else is said. */
  url?: string;
  /** What the site answered; 200 where nothing else is said. */
  status?: number;
  contentType?: string;
}

/** As `POST /v2/scrape` of Firecrawl answers. */
export function firecrawlBody(asked: string, page: FirecrawlPage): object {
  return { success: true, data: firecrawlDocument(asked, page) };
}

function firecrawlDocument(asked: string, page: FirecrawlPage): object {
  const { html, markdown, title, url = asked, status = 200, contentType = "text/html; charset=utf-8" } = page;
  return {
    ...(markdown === undefined ? {} : { markdown }),
    ...(html === undefined ? {} : { rawHtml: html }),
    metadata: {
      ...(title === undefined ? {} : { title }),
      language: "en",
      sourceURL: asked,
      url,
      statusCode: status,
      contentType,
      proxyUsed: "basic",
      creditsUsed: 1,
    },
  };
}

/** As Firecrawl tells an error. */
export function firecrawlError(status: number, error: string, headers: Record<string, string> = {}) {
  return { status, headers, body: { success: false, error } };
}

/** So many pages stand in one part of a crawl's list. */
const partSize = 2;

/**
 * A Firecrawl that knows these pages by their addresses: it scrapes them; its map lists those that `mapped` names (all,
 * where it is left out), and its crawl lists all of them, in parts.
 */
export function fakeFirecrawl(
  pages: Readonly<Record<string, FirecrawlPage>>,
  mapped: readonly string[] = Object.keys(pages),
): Script {
  const crawled = Object.entries(pages);
  return ({ method, path, query, headers, json }) => {
    if (method === "POST" && path === "/v2/scrape") {
      const { url } = json() as { url: string };
      const page = pages[url];
      return page === undefined
        ? firecrawlError(500, "All scraping engines failed")
        : { body: firecrawlBody(url, page) };
    }
    if (method === "POST" && path === "/v2/map") {
      return { body: { success: true, links: mapped.map((url) => ({ url, title: "t" })) } };
    }
    if (method === "POST" && path === "/v2/crawl") {
      return { body: { success: true, id: "crawl-1", url: `http://${headers["host"]}/v2/crawl/crawl-1` } };
    }
    if (method === "DELETE") return { body: { status: "cancelled" } };
    if (path !== "/v2/crawl/crawl-1") return undefined;
    const from = Number(query.get("skip") ?? 0);
    const part = crawled.slice(from, from + partSize);
    return {
      body: {
        status: "completed",
        total: crawled.length,
        completed: crawled.length,
        creditsUsed: crawled.length,
        ...(from + partSize < crawled.length
          ? { next: `http://${headers["host"]}/v2/crawl/crawl-1?skip=${from + partSize}` }
          : {}),
        data: part.map(([url, page]) => firecrawlDocument(url, page)),
      },
    };
  };
}
