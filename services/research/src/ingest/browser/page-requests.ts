import type { Request, Route } from "playwright-core";
import type { Dispatcher } from "undici";
import { type Fetched, fetchBytes } from "../web/fetch-bytes.ts";
import type { HostTurns } from "../web/host-turns.ts";
import type { Robots } from "../web/robots.ts";

export interface PageRequestsOptions {
  /** What was fetched already: the answer to the page's own address. */
  page: Fetched;
  /** Checks every address that is connected to. */
  dispatcher: Dispatcher;
  /** Every request takes its turn there. */
  hosts: HostTurns;
  robots: Robots | undefined;
  now: () => Date;
  signal: AbortSignal;
}

const mostRequests = 200;
const mostBytes = 32 * 1024 * 1024;
const timeoutMs = 10_000;
/** What a page's text can depend on; pictures, fonts, frames and the rest are left out. */
const wanted: ReadonlySet<string> = new Set(["document", "script", "xhr", "fetch"]);

/**
 * Answers every request of a page that is shown: what it may have is fetched by this process, under the same guards as
 * pages are, and never by the browser. Only reading is allowed, and so much in all.
 */
export class PageRequests {
  readonly #options: PageRequestsOptions;
  #count = 0;
  #bytes = 0;

  constructor(options: PageRequestsOptions) {
    this.#options = options;
  }

  /** Never rejects: a page that is gone needs no answer. */
  async answer(route: Route): Promise<void> {
    try {
      await this.#answer(route);
    } catch {
      await route.abort("failed").catch(() => undefined);
    }
  }

  async #answer(route: Route): Promise<void> {
    const request = route.request();
    const { page } = this.#options;
    if (request.resourceType() === "stylesheet") {
      await route.fulfill({ status: 200, contentType: "text/css", body: "" });
      return;
    }
    this.#count += 1;
    if (!isWanted(request) || this.#count > mostRequests || this.#bytes > mostBytes) {
      await route.abort("blockedbyclient");
      return;
    }
    const isPage = request.resourceType() === "document" && withoutFragment(request.url()) === page.finalUrl;
    const { bytes, contentType } = isPage ? page : await this.#fetch(request);
    this.#bytes += bytes.byteLength;
    await route.fulfill({ status: 200, contentType, body: Buffer.from(bytes) });
  }

  async #fetch(request: Request): Promise<Fetched> {
    const { dispatcher, hosts, robots, now, signal } = this.#options;
    const accept = (await request.headerValue("accept")) ?? "*/*";
    const mayFetch = robots && ((url: URL) => robots.assertAllowed(url, signal));
    const guards = mayFetch === undefined ? {} : { mayFetch };
    return fetchBytes(request.url(), { dispatcher, hosts, now, signal, timeoutMs, accept, ...guards });
  }
}

function isWanted(request: Request): boolean {
  if (request.method() !== "GET" || !wanted.has(request.resourceType())) return false;
  return request.resourceType() !== "document" || request.frame().parentFrame() === null;
}

function withoutFragment(address: string): string {
  return address.replace(/#.*$/s, "");
}
