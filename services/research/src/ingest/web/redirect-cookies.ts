interface Cookie {
  name: string;
  value: string;
  domain: string;
  /** Whether hosts below `domain` get it too. */
  wide: boolean;
}

/**
 * The cookies of one chain of redirects: publishers set one and lead back to the page, again and again for who
 * does not return it. Nothing outlives the fetch. Paths and ages are ignored; hosts are not.
 */
export class RedirectCookies {
  readonly #cookies = new Map<string, Cookie>();

  /** Takes the Set-Cookie headers of a response from `url`. */
  take(url: URL, headers: readonly string[]): void {
    for (const header of headers) {
      const [pair = "", ...attributes] = header.split(";").map((part) => part.trim());
      const at = pair.indexOf("=");
      if (at < 1) continue;
      const stated = attributes.find((attribute) => /^domain=/i.test(attribute))?.slice("domain=".length);
      const domain = stated?.replace(/^\./, "").toLowerCase() ?? "";
      const wide = domain.includes(".") && isWithin(url.hostname, domain);
      if (domain !== "" && !wide) continue;
      const cookie = {
        name: pair.slice(0, at),
        value: pair.slice(at + 1),
        domain: domain || url.hostname,
        wide,
      };
      this.#cookies.set(`${cookie.domain} ${cookie.name}`, cookie);
    }
  }

  /** The Cookie header for a request, or null where there is nothing to send. */
  headerFor(url: URL): string | null {
    const fitting = [...this.#cookies.values()].filter(({ domain, wide }) =>
      wide ? isWithin(url.hostname, domain) : url.hostname === domain,
    );
    return fitting.length === 0 ? null : fitting.map(({ name, value }) => `${name}=${value}`).join("; ");
  }
}

function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}
