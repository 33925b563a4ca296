import type { Key } from "../../search/search-settings.ts";

/** A Firecrawl that is set up. The base URL has no slash at its end and may be private. */
export interface FirecrawlSettings {
  apiKey: Key | undefined;
  baseUrl: string;
  /** Of one page, in milliseconds. */
  timeoutMs: number;
}

/** How web pages are fetched. */
export interface WebSettings {
  /** Where it is set, pages are fetched through it. */
  firecrawl: FirecrawlSettings | undefined;
  /** Of one page with its redirects where this machine fetches it, in milliseconds. */
  timeoutMs: number;
  /** Whether robots.txt is obeyed where this machine fetches. */
  robots: boolean;
  /** A Chromium that is named (`off` for none), and the folders in which one is looked for. */
  chromium: { given: string | undefined; searchPath: string };
  /** The most pages of one site. */
  sitePages: number;
}
