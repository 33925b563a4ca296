import { isProofroomError, ProofroomError, type Source } from "@proofroom/contracts";
import type { PageBrowser } from "../browser/page-browser.ts";
import type { PatientFirecrawl } from "../firecrawl/patient-firecrawl.ts";
import { scrapedSource } from "../firecrawl/scraped-source.ts";
import { throughFirecrawl } from "../firecrawl/through-firecrawl.ts";
import type { ParsePool } from "../parsing/parse-pool.ts";
import { decodePage } from "./decode-page.ts";
import { type Fetched, fetchable } from "./fetch-bytes.ts";
import { type Counted, type FetchHereOptions, fetchCounted } from "./fetch-here.ts";
import { pageKind } from "./page-kind.ts";
import { pageSource } from "./page-source.ts";
import { createPublicDispatcher } from "./public-host.ts";
import { isScriptDriven, needsBrowser } from "./script-driven.ts";

export interface FetchPageDeps extends Omit<FetchHereOptions, "signal" | "comesBack"> {
  /** Private addresses that may be fetched, as `host:port`. */
  allowHosts: ReadonlySet<string>;
  parsing: ParsePool;
  /** Asked first, where it is set up. */
  firecrawl?: PatientFirecrawl | undefined;
  /** What pages are shown in that show nothing without their scripts. */
  browser?: PageBrowser | undefined;
}

interface FetchPageOptions extends FetchPageDeps, Pick<FetchHereOptions, "signal" | "comesBack"> {
  /** Through which each fetch is made: it is counted against the run's budget. */
  counted: Counted;
  /** The page, where it was fetched from here already: it is not fetched again. */
  handed?: Fetched | null;
}

/**
 * A page, or a document behind a URL, as a source: through Firecrawl where that is set up, else fetched from here, and
 * shown in a browser where it shows nothing without its scripts. A source that came another way than that which is set
 * up says why.
 * @throws ProofroomError quota, to wait, where others wait for the page's host already; as fetchBytes, extractReadable and ingestDocumentBytes; invalid_input where the response
 *   is of a kind that holds no text
 */
export async function fetchPage(ref: string, options: FetchPageOptions): Promise<Source> {
  const { firecrawl, signal } = options;
  if (firecrawl === undefined) return fetchFromHere(ref, { ...options, comesBack: true });
  const url = fetchable(ref);
  const { value, why } = await throughFirecrawl(
    firecrawl,
    url,
    (one) => options.counted(url.href, () => one.scrape(url.href, signal)),
    options,
  );
  if (why === undefined) return scrapedSource(ref, value, options);
  const note = `Fetched without Firecrawl: ${why.message}`;
  try {
    const source = await fetchFromHere(ref, options);
    return { ...source, provenance: { ...source.provenance, note } };
  } catch (error) {
    throw isProofroomError(error) ? withNote(error, note) : error;
  }
}

function withNote(error: ProofroomError, note: string): ProofroomError {
  const { code, message, remedy, disposition } = error;
  return new ProofroomError({
    code,
    message: `${message} ${note}`,
    disposition,
    cause: error,
    ...(remedy === undefined ? {} : { remedy }),
  });
}

async function fetchFromHere(ref: string, options: FetchPageOptions): Promise<Source> {
  const { allowHosts, robots, handed } = options;
  const dispatcher = await createPublicDispatcher({ allowHosts });
  try {
    const start = fetchable(ref);
    if (!handed) await robots?.pace(start, options);
    const first = handed ?? (await fetchCounted(start.href, dispatcher, options));
    const refreshed = refreshTarget(first);
    const fetched =
      refreshed === null
        ? first
        : await fetchCounted(refreshed, dispatcher, { ...options, comesBack: false });
    return await readOrShow(ref, fetched, options);
  } finally {
    await dispatcher.destroy();
  }
}

async function readOrShow(ref: string, fetched: Fetched, options: FetchPageOptions): Promise<Source> {
  try {
    return await pageSource(ref, fetched, options);
  } catch (error) {
    const { browser, signal } = options;
    if (!isProofroomError(error) || error.code !== "no_evidence" || !isScriptDriven(fetched)) throw error;
    if (browser === undefined || !(await browser.isThere())) throw needsBrowser(error);
    const shown = await browser.show(fetched, { ...options, signal });
    const source = await pageSource(ref, shown, options);
    return { ...source, provenance: { ...source.provenance, method: "browser" } };
  }
}

/** Where a page that is nothing but a redirect in HTML leads, or null. */
function refreshTarget({ bytes, contentType, finalUrl }: Fetched): string | null {
  if (bytes.byteLength > 8_192 || pageKind(bytes, contentType, finalUrl).kind !== "html") return null;
  const html = decodePage(bytes, contentType);
  const refresh = /<meta\s[^<>]*http-equiv\s*=\s*["']?refresh["']?[^<>]*>/i.exec(html)?.[0];
  const target =
    refresh === undefined
      ? undefined
      : /content\s*=\s*["']\s*[0-3]\s*[;,]\s*url\s*=\s*["']?([^"'>]+)/i.exec(refresh);
  const address = target?.[1]?.trim().replaceAll("&amp;", "&");
  return address !== undefined && URL.canParse(address, finalUrl) ? new URL(address, finalUrl).href : null;
}
