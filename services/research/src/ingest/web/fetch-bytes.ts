import { ProofroomError } from "@proofroom/contracts";
import type { Dispatcher } from "undici";
import { refusedStatus, unreachable } from "./fetch-error.ts";
import { readCapped } from "./read-capped.ts";
import { RedirectCookies } from "./redirect-cookies.ts";

export interface Fetched {
  bytes: Uint8Array;
  /** After redirects, without fragment. */
  finalUrl: string;
  /** The Content-Type header, or an empty string. */
  contentType: string;
}

export interface FetchOptions {
  /** Checks every address that is connected to. */
  dispatcher: Dispatcher;
  signal: AbortSignal;
  now: () => Date;
  /** Of the whole exchange, redirects and body included. */
  timeoutMs: number;
  /** Asked before each request, redirects included; what it throws is thrown. */
  mayFetch?: (url: URL) => Promise<void>;
  /** The Accept header, where another is wanted than that of a reader of pages. */
  accept?: string;
}

const maxRedirects = 10;
const maxBytes = 16 * 1024 * 1024;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

const requestHeaders = {
  "user-agent": "Proofroom/0.1 (research assistant; reads pages that a person named as sources)",
  accept: "text/html,application/xhtml+xml,application/pdf;q=0.9,text/*;q=0.8,*/*;q=0.5",
  "accept-language": "en;q=0.9,*;q=0.5",
};

/** By what name robots.txt may speak of this program. */
export const robotsToken = "Proofroom";

/**
 * Fetches a URL over HTTP(S): at most 10 redirects, each address checked by the dispatcher, and at most 16 MB,
 * counted as they arrive after decompression.
 * @throws ProofroomError invalid_input (no http(s) URL), private_address, not_found, unreachable, too_large,
 *   timeout; those worth a retry say so, with the server's Retry-After. Or the signal's reason.
 */
export async function fetchBytes(address: string, options: FetchOptions): Promise<Fetched> {
  const deadline = AbortSignal.timeout(options.timeoutMs);
  const signal = AbortSignal.any([options.signal, deadline]);
  try {
    return await follow(fetchable(address), { ...options, signal });
  } catch (error) {
    options.signal.throwIfAborted();
    if (deadline.aborted) {
      throw new ProofroomError({
        code: "timeout",
        message: "The site did not answer in time.",
        cause: error,
      });
    }
    throw unreachable(error);
  }
}

async function follow(start: URL, options: FetchOptions): Promise<Fetched> {
  const { fetch } = await import("undici");
  const cookies = new RedirectCookies();
  const { accept = requestHeaders.accept } = options;
  let url = start;
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    await options.mayFetch?.(url);
    const cookie = cookies.headerFor(url);
    const response = await fetch(url, {
      dispatcher: options.dispatcher,
      signal: options.signal,
      redirect: "manual",
      headers: { ...requestHeaders, accept, ...(cookie === null ? {} : { cookie }) },
    });
    cookies.take(url, response.headers.getSetCookie());
    const location = response.headers.get("location");
    if (redirects.has(response.status) && location !== null) {
      await response.body?.cancel();
      url = fetchable(asUtf8(location), url);
      continue;
    }
    if (response.status < 200 || response.status > 299) {
      await response.body?.cancel();
      throw refusedStatus(response.status, response.headers, options.now());
    }
    const bytes = await readCapped(response, maxBytes);
    if (bytes === null) throw tooLarge();
    return { bytes, finalUrl: url.href, contentType: response.headers.get("content-type") ?? "" };
  }
  throw new ProofroomError({
    code: "unreachable",
    message: `The site redirects more than ${maxRedirects} times.`,
    disposition: { kind: "fail" },
  });
}

/** The address without its fragment. @throws ProofroomError invalid_input where it is none that is fetched */
export function fetchable(address: string, base?: URL): URL {
  const url = URL.canParse(address, base?.href) ? new URL(address, base) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    throw new ProofroomError({
      code: "invalid_input",
      message:
        base === undefined
          ? "This is not an http or https address without credentials."
          : "The site redirects to what is not an http or https address without credentials.",
      remedy: "Give the address of the page itself.",
    });
  }
  url.hash = "";
  return url;
}

/** Header values arrive byte by byte; servers write non-ASCII addresses in UTF-8. */
function asUtf8(header: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(header, "latin1"));
  } catch {
    return header;
  }
}

function tooLarge(): ProofroomError {
  return new ProofroomError({
    code: "too_large",
    message: "The page is larger than 16 MB.",
    remedy: "Give the part that matters as a local file.",
  });
}
