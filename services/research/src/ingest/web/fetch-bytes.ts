import { ProofroomError } from "@proofroom/contracts";
import type { Dispatcher } from "undici";
import { dispositionName } from "./disposition-name.ts";
import { asksForPause, refusedStatus, retryAfterMs, unreachable } from "./fetch-error.ts";
import type { HostTurns } from "./host-turns.ts";
import { readBeginning, readCapped } from "./read-capped.ts";
import { RedirectCookies } from "./redirect-cookies.ts";

export interface Fetched {
  bytes: Uint8Array;
  /** After redirects, without fragment. */
  finalUrl: string;
  /** The Content-Type header, or an empty string. */
  contentType: string;
  /** The file's name, where the server gives it one. */
  fileName?: string;
  /** ISO 8601, of what was not fetched just now. */
  retrievedAt?: string;
}

export interface FetchOptions {
  /** Checks every address that is connected to. */
  dispatcher: Dispatcher;
  /** Every request takes its turn there. */
  hosts: HostTurns;
  signal: AbortSignal;
  /** Whether the caller comes back later rather than wait in line for its first request. */
  comesBack?: boolean | undefined;
  now: () => Date;
  /** Of all requests and their answers, redirects and bodies included; not of the waiting for a turn. */
  timeoutMs: number;
  /** Asked before each request, redirects included; what it throws is thrown. */
  mayFetch?: (url: URL) => Promise<void>;
  /** So many bytes of a body are enough, and the rest is left; else one that is larger than may be read is an error. */
  enough?: number;
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
 * counted as they arrive after decompression. A host that has too much to do is left alone by the whole process for as
 * long as it asks.
 * @throws ProofroomError invalid_input (no http(s) URL), private_address, not_found, unreachable, too_large,
 *   timeout; those worth a retry say so, with the server's Retry-After. Where the caller comes back later, as
 *   HostTurns.take. Or the signal's reason.
 */
export async function fetchBytes(address: string, options: FetchOptions): Promise<Fetched> {
  const { hosts, signal, comesBack, mayFetch } = options;
  const visit = new Visit(options);
  try {
    let url = fetchable(address);
    for (let hop = 0; hop <= maxRedirects; hop += 1) {
      const at = url;
      await mayFetch?.(at);
      const answer = await hosts.take(at, () => visit.request(at), {
        signal,
        comesBack: comesBack && hop === 0,
      });
      if (!(answer instanceof URL)) return answer;
      url = answer;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw unreachable(error);
  }
  throw new ProofroomError({
    code: "unreachable",
    message: `The site redirects more than ${maxRedirects} times.`,
    disposition: { kind: "fail" },
  });
}

/** What the requests of one fetch share: its time, and the cookies that redirects set. */
class Visit {
  readonly #options: FetchOptions;
  readonly #cookies = new RedirectCookies();
  #leftMs: number;

  constructor(options: FetchOptions) {
    this.#options = options;
    this.#leftMs = options.timeoutMs;
  }

  /** What the address answers, or where it leads. */
  async request(url: URL): Promise<Fetched | URL> {
    const deadline = AbortSignal.timeout(Math.max(0, Math.ceil(this.#leftMs)));
    const began = performance.now();
    try {
      return await this.#request(url, AbortSignal.any([this.#options.signal, deadline]));
    } catch (cause) {
      this.#options.signal.throwIfAborted();
      if (!deadline.aborted) throw cause;
      throw new ProofroomError({ code: "timeout", message: "The site did not answer in time.", cause });
    } finally {
      this.#leftMs -= performance.now() - began;
    }
  }

  async #request(url: URL, signal: AbortSignal): Promise<Fetched | URL> {
    const { fetch } = await import("undici");
    const { dispatcher, hosts, now, enough, accept = requestHeaders.accept } = this.#options;
    const cookie = this.#cookies.headerFor(url);
    const response = await fetch(url, {
      dispatcher,
      signal,
      redirect: "manual",
      headers: { ...requestHeaders, accept, ...(cookie === null ? {} : { cookie }) },
    });
    const { status, headers } = response;
    this.#cookies.take(url, headers.getSetCookie());
    const location = headers.get("location");
    if (redirects.has(status) && location !== null) {
      await response.body?.cancel();
      return fetchable(asUtf8(location), url);
    }
    if (status < 200 || status > 299) {
      await response.body?.cancel();
      if (asksForPause(status, headers)) hosts.pause(url, retryAfterMs(headers.get("retry-after"), now()));
      throw refusedStatus(status, headers, now());
    }
    const bytes =
      enough === undefined ? await readCapped(response, maxBytes) : await readBeginning(response, enough);
    if (bytes === null) throw tooLarge();
    const fileName = dispositionName(asUtf8(headers.get("content-disposition") ?? ""));
    return {
      bytes,
      finalUrl: url.href,
      contentType: headers.get("content-type") ?? "",
      ...(fileName === undefined ? {} : { fileName }),
    };
  }
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
