/** A part of the web that a guideline asks for as a whole: what lies below one path of one host. */
export interface Site {
  readonly start: URL;
  /** The page as it is fetched, or null where the address is none of a page of the site. */
  pageAt(address: string): string | null;
}

/** A name that is no page's: what pages are made of, or data. */
const noPage =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|css|m?js|map|json|xml|rss|atom|txt|csv|zip|t?gz|bz2|xz|7z|tar|exe|dmg|deb|rpm|iso|woff2?|ttf|otf|eot|mp[34]|m4[av]|webm|og[gv]|wav|avi|mov)$/i;

/**
 * The site that an address asks for by `/*` or `/**` at its end (both mean all that is below), or null where it asks
 * for one page.
 */
export function siteOf(ref: string): Site | null {
  const url = URL.parse(ref);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "") return null;
  if (!/\/\*{1,2}$/.test(url.pathname)) return null;
  const prefix = url.pathname.replace(/\*+$/, "");
  const start = new URL(prefix, url);
  return {
    start,
    pageAt(address) {
      const page = URL.parse(address);
      if (page === null || !/^https?:$/.test(page.protocol) || page.host !== start.host) return null;
      const isBelow = page.pathname.startsWith(prefix) || `${page.pathname}/` === prefix;
      // A query mostly asks for another view of the same page.
      if (!isBelow || page.search !== "" || noPage.test(page.pathname) || page.pathname.includes("*"))
        return null;
      if (page.username !== "" || page.password !== "") return null;
      page.hash = "";
      page.protocol = start.protocol;
      return page.href;
    },
  };
}

/** The pages of a site that were found so far, each once. */
export class FoundPages {
  readonly #byKey = new Map<string, string>();
  /** Pages for which there was no room. */
  readonly #beyond = new Set<string>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get all(): string[] {
    return [...this.#byKey.values()];
  }

  /** Whether there was a page more than may be read of one site. */
  get more(): boolean {
    return this.#beyond.size > 0;
  }

  /** How many pages were seen, with those for which there was no room. */
  get seen(): number {
    return this.#byKey.size + this.#beyond.size;
  }

  get isFull(): boolean {
    return this.#byKey.size >= this.#most;
  }

  has(page: string): boolean {
    return this.#byKey.has(keyOf(page));
  }

  /** @returns whether the page is new and there is room for it */
  add(page: string): boolean {
    if (this.has(page)) return false;
    if (this.isFull) {
      this.#beyond.add(keyOf(page));
      return false;
    }
    this.#byKey.set(keyOf(page), page);
    return true;
  }
}

/** With and without a slash at its end a page is the same. */
function keyOf(page: string): string {
  return page.replace(/\/$/, "");
}
