import { ProofroomError } from "@proofroom/contracts";
import type { z } from "zod";
import { askJson, askProvider, endpoint, type ProviderRequest } from "../../search/ask-provider.ts";
import { strangeAnswer } from "../../search/provider-error.ts";
import type { Wait } from "../../search/wait.ts";
import type { FirecrawlSettings } from "../web/web-settings.ts";
import { crawlStartSchema, crawlStatusSchema, mapSchema, scrapeSchema } from "./firecrawl-answers.ts";

/** A page as Firecrawl delivers it. All of it is foreign text. */
export interface ScrapedPage {
  /** As the page was once its scripts had run; empty where there is none. */
  html: string;
  /** Firecrawl's own reading of it; empty where there is none. */
  markdown: string;
  title: string;
  /** After redirects, or what was asked for. */
  finalUrl: string;
  /** What the site answered, where that is known. */
  status: number | undefined;
  contentType: string;
}

interface CrawlLimits {
  signal: AbortSignal;
  /** The most pages. */
  limit: number;
  /** The most links from the first page. */
  depth: number;
  /** What the path of every page matches, as a regular expression. */
  path: string;
}

/**
 * Firecrawl's API, version 2, in its cloud or on a server of one's own.
 * Every call @throws ProofroomError not_configured (the key or the address is wrong), quota, timeout, unreachable,
 *   too_large, or invalid_input (Firecrawl does not take this address). What is worth another try has a disposition
 *   that says so. Or the signal's reason.
 */
export interface Firecrawl {
  /** Whether it is the public one, which private addresses are no business of. */
  readonly isCloud: boolean;
  scrape(url: string, signal: AbortSignal): Promise<ScrapedPage>;
  /** The addresses that a site's map and its first page name. */
  map(url: string, options: { signal: AbortSignal; limit: number }): Promise<string[]>;
  /** Follows the links of a site; answers the addresses of the pages that it had. */
  crawl(url: string, limits: CrawlLimits): Promise<string[]>;
}

const titled = { title: "Firecrawl", addressSetting: "FIRECRAWL_API_URL", keySetting: "FIRECRAWL_API_KEY" };

/** A page of 16 MB, as JSON, beside what was read out of it. */
const maxBytes = 40 * 1024 * 1024;
const pollMs = 2_000;
/** A crawl takes two minutes at most. */
const mostPolls = 60;
/** Pages of a crawl's list that are read; a list that leads on beyond has no end. */
const mostParts = 200;

export function createFirecrawl(
  settings: FirecrawlSettings,
  { now, wait }: { now: () => Date; wait: Wait },
): Firecrawl {
  const { apiKey, baseUrl, timeoutMs } = settings;

  function request(url: URL, signal: AbortSignal, body?: object): ProviderRequest {
    return {
      words: titled,
      url,
      signal,
      now,
      timeoutMs,
      maxBytes,
      refusals,
      ...(apiKey === undefined ? {} : { headers: { authorization: `Bearer ${apiKey.reveal()}` } }),
      ...(body === undefined ? {} : { body }),
    };
  }

  const post = <Schema extends z.ZodType>(path: string, body: object, schema: Schema, signal: AbortSignal) =>
    askJson(request(endpoint(baseUrl, path), signal, body), schema);

  /** The key must not go to another place than the one that is set. */
  function own(address: string): URL {
    const url = URL.parse(address, baseUrl);
    if (url !== null && url.origin === new URL(baseUrl).origin) return url;
    throw strangeAnswer(titled, "an address that is not its own", { isSpoilt: false });
  }

  async function follow(id: string, signal: AbortSignal): Promise<string[]> {
    const first = endpoint(baseUrl, `/v2/crawl/${id}`);
    let status = await askJson(request(first, signal), crawlStatusSchema);
    for (let poll = 1; status.status === "scraping"; poll += 1) {
      if (poll === mostPolls) throw tooSlow();
      await wait(pollMs, signal);
      status = await askJson(request(first, signal), crawlStatusSchema);
    }
    if (status.status !== "completed") throw strangeAnswer(titled, "a failed crawl", { isSpoilt: true });
    const found: string[] = [];
    for (let part = 1; ; part += 1) {
      for (const { metadata } of status.data) {
        const url = metadata?.url ?? metadata?.sourceURL;
        if (url !== undefined && url !== null && (metadata?.statusCode ?? 200) < 400) found.push(url);
      }
      if (!status.next || part === mostParts) return found;
      status = await askJson(request(own(status.next), signal), crawlStatusSchema);
    }
  }

  return {
    isCloud: new URL(baseUrl).hostname.endsWith(".firecrawl.dev"),
    async scrape(url, signal) {
      const body = {
        url,
        formats: ["rawHtml", "markdown"],
        onlyMainContent: true,
        // As the page is now: what is stored says when it was fetched.
        maxAge: 0,
        skipTlsVerification: false,
        // So that its own word on a slow page comes before ours.
        timeout: Math.max(1_000, Math.round(timeoutMs * 0.9)),
      };
      const { data } = await post("/v2/scrape", body, scrapeSchema, signal);
      const { metadata } = data;
      return {
        html: data.rawHtml ?? "",
        markdown: data.markdown ?? "",
        title: metadata?.title ?? "",
        finalUrl: metadata?.url ?? url,
        status: metadata?.statusCode ?? undefined,
        contentType: metadata?.contentType ?? "",
      };
    },
    async map(url, { signal, limit }) {
      const body = { url, limit, includeSubdomains: false, ignoreQueryParameters: true };
      return (await post("/v2/map", body, mapSchema, signal)).links;
    },
    async crawl(url, { signal, limit, depth, path }) {
      const body = {
        url,
        limit,
        maxDiscoveryDepth: depth,
        includePaths: [path],
        crawlEntireDomain: true,
        allowExternalLinks: false,
        allowSubdomains: false,
        ignoreQueryParameters: true,
        scrapeOptions: { formats: ["links"] },
      };
      const { id } = await post("/v2/crawl", body, crawlStartSchema, signal);
      try {
        return await follow(id, signal);
      } catch (error) {
        await stop(id);
        throw error;
      }
    },
  };

  /** A crawl that nobody waits for would go on to spend credit. */
  async function stop(id: string): Promise<void> {
    const signal = AbortSignal.timeout(5_000);
    const url = endpoint(baseUrl, `/v2/crawl/${id}`);
    await askProvider({ ...request(url, signal), method: "DELETE" }).catch(() => undefined);
  }
}

const noInterface = new ProofroomError({
  code: "not_configured",
  message: "There is no Firecrawl, version 2, at the address that is set.",
  remedy: "Check FIRECRAWL_API_URL.",
});

const refusals: Readonly<Record<number, ProofroomError>> = {
  400: refused("Firecrawl did not take the address."),
  403: refused("Firecrawl does not fetch pages of this site."),
  404: noInterface,
  405: noInterface,
  408: new ProofroomError({
    code: "unreachable",
    message: "Firecrawl did not get the page in time.",
    disposition: { kind: "fail" },
  }),
  410: noInterface,
};

function tooSlow(): ProofroomError {
  return new ProofroomError({ code: "timeout", message: "Firecrawl did not finish the crawl in time." });
}

function refused(message: string): ProofroomError {
  return new ProofroomError({ code: "invalid_input", message });
}
