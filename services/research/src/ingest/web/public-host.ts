import type { LookupAddress, LookupOptions } from "node:dns";
import { lookup } from "node:dns";
import { isIP, isIPv6 } from "node:net";
import { ProofroomError } from "@proofroom/contracts";
import { isPublicHost } from "@proofroom/evidence";
import { untilAborted } from "./until-aborted.ts";

export interface PublicHostOptions {
  /** Private hosts that may be fetched all the same: exactly these, as `host:port` in lower case. */
  allowHosts: ReadonlySet<string>;
  signal?: AbortSignal;
}

/** The part of undici's connector that is used here: its own type is not exported under a stable name. */
interface ConnectTarget {
  hostname: string;
  protocol: string;
  port: string;
}

/**
 * Resolves the host of an http(s), git or ssh URL and refuses it unless every address it has is public.
 * @returns the addresses, for tools that resolve the name again and can be told what to connect to; none where
 *   the host is an address itself or was allowed
 * @throws ProofroomError private_address; unreachable (no such host fails, a resolver that is away is retried); cancelled
 */
export async function assertPublicHost(url: URL, options: PublicHostOptions): Promise<string[]> {
  options.signal?.throwIfAborted();
  const host = bare(url.hostname);
  if (isAllowedHost(url, options.allowHosts)) return [];
  assertPublicSpelling(host);
  if (isIP(host) !== 0) return [];
  const addresses = await untilAborted(resolveAll(host), options.signal);
  return addresses.map(({ address }) => address);
}

/** Whether the URL's host and port are among those that may be fetched although they are private. */
export function isAllowedHost(url: URL, allowHosts: ReadonlySet<string>): boolean {
  return allowHosts.has(hostPort(bare(url.hostname), url.port, url.protocol));
}

/**
 * An undici dispatcher that connects to public addresses only. The check is made on the address that is really
 * connected to, so a name that answers differently the second time gains nothing. Close it after use.
 * Refusals reject the request with ProofroomError private_address or unreachable.
 */
export async function createPublicDispatcher(options: Pick<PublicHostOptions, "allowHosts">) {
  const { Agent, buildConnector } = await import("undici");
  const open = buildConnector({ timeout: connectTimeoutMs, allowH2: false });
  const guarded = buildConnector({ timeout: connectTimeoutMs, allowH2: false, lookup: publicLookup });
  return new Agent({
    connect(target, callback) {
      const { hostname, port, protocol } = target as ConnectTarget;
      const host = bare(hostname);
      if (options.allowHosts.has(hostPort(host, port, protocol))) {
        open(target, callback);
        return;
      }
      try {
        assertPublicSpelling(host);
      } catch (error) {
        callback(error as Error, null);
        return;
      }
      guarded(target, callback);
    },
  });
}

const connectTimeoutMs = 10_000;

const defaultPorts: Readonly<Record<string, string>> = {
  "http:": "80",
  "https:": "443",
  "git:": "9418",
  "ssh:": "22",
};

function hostPort(host: string, port: string | null | undefined, protocol: string): string {
  return `${bracketed(host)}:${port || (defaultPorts[protocol] ?? "")}`;
}

/** As a URL writes it: an IPv6 address in brackets. */
function bracketed(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}

/** Without the brackets of an IPv6 address in a URL. */
function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1").toLowerCase();
}

/** What can be told from the host as written, before any look-up. */
function assertPublicSpelling(host: string): void {
  if (!isPublicHost(bracketed(host))) throw notPublic();
}

type LookupCallback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/** Stands in for `dns.lookup` when a socket connects. */
function publicLookup(hostname: string, options: LookupOptions, callback: LookupCallback): void {
  resolveAll(hostname, options).then(
    (addresses) => {
      const first = addresses[0] as LookupAddress;
      if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    },
    (error: Error) => callback(error, []),
  );
}

/** All addresses of a name; one that is not public refuses them all. */
function resolveAll(hostname: string, options: LookupOptions = {}): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) reject(unresolved(error));
      else if (addresses.length === 0) reject(unresolved(new Error("no address")));
      else if (addresses.every(({ address }) => isPublicHost(bracketed(address)))) resolve(addresses);
      else reject(notPublic());
    });
  });
}

function unresolved(cause: NodeJS.ErrnoException): ProofroomError {
  return new ProofroomError({
    code: "unreachable",
    message: "The host's name could not be resolved.",
    remedy: "Check the spelling of the address and that this machine can reach the internet.",
    disposition: { kind: cause.code === "ENOTFOUND" ? "fail" : "retry" },
    cause,
  });
}

function notPublic(): ProofroomError {
  return new ProofroomError({
    code: "private_address",
    message: "The host is not on the public internet, so it is not fetched.",
    remedy: "If this is intended, list its host:port in PROOFROOM_ALLOW_HOSTS.",
  });
}
