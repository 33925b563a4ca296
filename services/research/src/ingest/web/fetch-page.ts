import type { Source } from "@proofroom/contracts";
import type { ParsePool } from "../parsing/parse-pool.ts";
import { decodePage } from "./decode-page.ts";
import { type Fetched, fetchBytes } from "./fetch-bytes.ts";
import { pageKind } from "./page-kind.ts";
import { pageSource } from "./page-source.ts";
import { createPublicDispatcher } from "./public-host.ts";

export interface FetchPageDeps {
  /** Private addresses that may be fetched, as `host:port`. */
  allowHosts: ReadonlySet<string>;
  now: () => Date;
  parsing: ParsePool;
  /** Of one fetch with its redirects; 20 seconds where nothing else is said. */
  timeoutMs?: number;
}

const defaultTimeoutMs = 20_000;

/**
 * A page, or a document behind a URL, as a source.
 * @throws ProofroomError as fetchBytes, extractReadable and ingestDocumentBytes; invalid_input where the response
 *   is of a kind that holds no text
 */
export async function fetchPage(
  ref: string,
  options: FetchPageDeps & { signal: AbortSignal },
): Promise<Source> {
  const { allowHosts, now, parsing, signal, timeoutMs = defaultTimeoutMs } = options;
  const dispatcher = await createPublicDispatcher({ allowHosts });
  try {
    const fetchOne = (url: string) => fetchBytes(url, { dispatcher, signal, now, timeoutMs });
    const first = await fetchOne(ref);
    const refreshed = refreshTarget(first);
    const fetched = refreshed === null ? first : await fetchOne(refreshed);
    return await pageSource(ref, fetched, { now, parsing, signal });
  } finally {
    await dispatcher.destroy();
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
