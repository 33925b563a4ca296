import { isIPv6 } from "node:net";
import { isProofroomError, ProofroomError } from "@proofroom/contracts";
import { assertPublicHost, createPublicDispatcher, isAllowedHost } from "../web/public-host.ts";

interface GitAccess {
  /** Where the repository really is, after redirects that were each checked. */
  url: URL;
  /** Settings of git that pin the host to the address that was checked. */
  config: string[];
}

export interface NetworkPolicy {
  /** Private hosts that may be fetched all the same, as `host:port`. */
  allowHosts: ReadonlySet<string>;
}

const maxRedirects = 5;
const advertisement = "/info/refs";

/**
 * Asks a repository's host whether it is there, following redirects itself so that each host is checked.
 * @throws ProofroomError not_found (also where it is private), private_address, unreachable, invalid_input; or the
 *   signal's reason
 */
export async function accessRepository(
  start: URL,
  { allowHosts }: NetworkPolicy,
  signal: AbortSignal,
): Promise<GitAccess> {
  const { request } = await import("undici");
  const dispatcher = await createPublicDispatcher({ allowHosts });
  try {
    let url = secured(start, allowHosts);
    for (let hops = 0; hops <= maxRedirects; hops += 1) {
      assertProtocol(url, allowHosts);
      const reply = await request(`${url.href}${advertisement}?service=git-upload-pack`, {
        dispatcher,
        signal,
        headersTimeout: 30_000,
        headers: { "user-agent": "git/2.39.5", accept: "*/*" },
      });
      reply.body.on("error", () => {}).destroy();
      const next = redirectOf(url, reply.statusCode, reply.headers["location"]);
      if (next === null) {
        assertThere(reply.statusCode);
        return { url, config: await pinned(url, { allowHosts, signal }) };
      }
      url = next;
    }
    throw unreachable("The repository's host redirects without end.");
  } catch (error) {
    signal.throwIfAborted();
    throw isProofroomError(error) ? error : unreachable("The repository's host cannot be reached.", error);
  } finally {
    await dispatcher.destroy();
  }
}

/** Old addresses say http; hosts of repositories answer by https. */
function secured(url: URL, allowHosts: ReadonlySet<string>): URL {
  if (url.protocol === "https:" || isAllowedHttp(url, allowHosts)) return url;
  return new URL(url.href.replace(/^http:/, "https:"));
}

function isAllowedHttp(url: URL, allowHosts: ReadonlySet<string>): boolean {
  return url.protocol === "http:" && isAllowedHost(url, allowHosts);
}

function assertProtocol(url: URL, allowHosts: ReadonlySet<string>): void {
  if (url.protocol === "https:" || isAllowedHttp(url, allowHosts)) return;
  throw new ProofroomError({
    code: "invalid_input",
    message: "Repositories are fetched by https only.",
    remedy: "Give the repository's https address.",
  });
}

function redirectOf(url: URL, status: number, location: string | string[] | undefined): URL | null {
  if (![301, 302, 303, 307, 308].includes(status)) return null;
  const target = typeof location === "string" ? URL.parse(location, url.href) : null;
  // Elsewhere than to a repository a host sends those who must log in.
  if (target?.pathname.endsWith(advertisement) !== true) throw notFound();
  const next = new URL(target.origin);
  next.pathname = target.pathname.slice(0, -advertisement.length);
  return next;
}

function assertThere(status: number): void {
  if (status === 200) return;
  if (status === 429 || status >= 500) throw unreachable("The repository's host is busy or has failed.");
  throw notFound();
}

/** Git resolves the name again: it must come to an address that was checked. */
async function pinned(url: URL, options: NetworkPolicy & { signal: AbortSignal }): Promise<string[]> {
  const addresses = await assertPublicHost(url, options);
  if (addresses.length === 0) return [];
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  const listed = addresses.map((address) => (isIPv6(address) ? `[${address}]` : address));
  return [`http.curloptResolve=${url.hostname}:${port}:${listed.join(",")}`];
}

function notFound(): ProofroomError {
  return new ProofroomError({
    code: "not_found",
    message: "There is no such repository, or it is private.",
    remedy: "Check the address, or give the repository as a local folder.",
  });
}

function unreachable(message: string, cause?: unknown): ProofroomError {
  return new ProofroomError({ code: "unreachable", message, ...(cause === undefined ? {} : { cause }) });
}
