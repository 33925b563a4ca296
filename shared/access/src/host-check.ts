import type { IncomingMessage } from "node:http";
import { askedHost } from "./asked-host.ts";
import { isLoopback } from "./exposure.ts";

/** What is wrong: it is not clear which host is meant, it is none of ours, or a foreign page asks. */
export type HostFault = "unclear" | "host" | "origin";

interface HostCheckOptions {
  /** The address that the server listens on. */
  host: string;
  /** Names by which it may be reached besides those of loopback, and from whose pages. */
  allowedHosts: readonly string[];
  /** Whether pages of this machine may ask, whatever their port. Where they may, others never may. */
  localPages: boolean;
}

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Finds requests that a foreign page has a browser send: to a name that it has pointed here, which would make the page our
 * equal, or from its own origin. Beyond loopback a key protects; by which name a balancer calls us there is known only where
 * it was set.
 */
export function createHostCheck({
  host,
  allowedHosts,
  localPages,
}: HostCheckOptions): (request: Pick<IncomingMessage, "rawHeaders" | "url" | "headers">) => HostFault | null {
  const names = new Set([...loopbackNames, ...allowedHosts]);
  const pages = localPages ? names : new Set(allowedHosts);
  const checksHost = isLoopback(host) || allowedHosts.length > 0;
  return (request) => {
    const asked = askedHost(request);
    if (asked === null) return "unclear";
    if (checksHost && !names.has(asked.name)) return "host";
    const { origin } = request.headers;
    if (origin === undefined || !(checksHost || localPages)) return null;
    const own = checksHost && [`http://${asked.host}`, `https://${asked.host}`].includes(origin);
    return own || pages.has(URL.parse(origin)?.hostname ?? "") ? null : "origin";
  };
}
