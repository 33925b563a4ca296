import type { Request, Route } from "playwright-core";
import type { Dispatcher } from "undici";
import { createTurns } from "../../search/turns.ts";
import { waitByClock } from "../../search/wait.ts";
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
/** What is fetched at the same time is held whole. */
const atOnce = 6;
const timeoutMs = 10_000;
/** What a page's text can depend on; pictures, fonts, frames and the rest are left out. */
const wanted: ReadonlySet<string> = new Set(["document", "script", "xhr", "fetch"]);

/**
 * Answers every request of a page that is shown: what it may have is fetched by this process, under the same guards as
 * pages are, and never by the browser. Only reading is allowed, and so much in all.
 */
export class PageRequests {
  readonly #options: PageRequestsOptions;
  readonly #turns = createTurns({ wait: waitByClock, atOnce: () => atOnce });
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
    const { page, signal } = this.#options;
    if (request.resourceType() === "stylesheet") {
      await route.fulfill({ status: 200, contentType: "text/css", body: "" });
      return;
    }
    this.#count += 1;
    if (!isWanted(request) || this.#count > mostRequests) {
      await route.abort("blockedbyclient");
      return;
    }
    const isPage = request.resourceType() === "document" && withoutFragment(request.url()) === page.finalUrl;
    const found = isPage ? page : await this.#turns.take(() => this.#fetch(request), signal);
    if (found === null) await route.abort("blockedbyclient");
    else await route.fulfill({ status: 200, contentType: found.contentType, body: Buffer.from(found.bytes) });
  }

  /** Null where the page has had as much as it may have. */
  async #fetch(request: Request): Promise<Fetched | null> {
    if (this.#bytes > mostBytes) return null;
    const { dispatcher, hosts, robots, now, signal } = this.#options;
    const accept = (await request.headerValue("accept")) ?? "*/*";
    const mayFetch = robots && ((url: URL) => robots.assertAllowed(url, signal));
    const guards = mayFetch === undefined ? {} : { mayFetch };
    const found = await fetchBytes(request.url(), {
      dispatcher,
      hosts,
      now,
      signal,
      timeoutMs,
      accept,
      ...guards,
    });
    this.#bytes += found.bytes.byteLength;
    return found;
  }
}

function isWanted(request: Request): boolean {
  if (request.method() !== "GET" || !wanted.has(request.resourceType())) return false;
  return request.resourceType() !== "document" || request.frame().parentFrame() === null;
}

function withoutFragment(address: string): string {
  return address.replace(/#.*$/s, "");
}
