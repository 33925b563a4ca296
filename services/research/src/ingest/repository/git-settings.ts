import { isAllowedHost } from "../web/public-host.ts";

/** Who one git server lets in. */
export interface GitHostAccess {
  /** As a URL has it: with the port only where it is not the usual one. */
  host: string;
  /** The setting that holds the token. */
  setting: string;
  /** The value of the header; undefined where the setting is not set. */
  authorization: { reveal(): string } | undefined;
}

/** The git servers that are known by name. */
export interface GitSettings {
  /** Servers of one's own whose addresses name repositories. */
  hosts: readonly string[];
  /** At most one for each host. */
  access: readonly GitHostAccess[];
}

export type Credential = GitHostAccess & { authorization: { reveal(): string } };

/** The setting for servers that have none of their own. */
const ownServers = "PROOFROOM_GIT_TOKENS";

/**
 * The token for the host of a URL: of exactly this host and port, and by https. In the clear it goes nowhere but to
 * an allowed port of this machine.
 */
export function credentialFor(
  url: URL,
  { access }: Pick<GitSettings, "access">,
  allowHosts: ReadonlySet<string>,
): Credential | null {
  const isSafe = url.protocol === "https:" || (isLoopback(url) && isAllowedHost(url, allowHosts));
  const found = isSafe ? access.find(({ host }) => host === url.host) : undefined;
  return found?.authorization === undefined ? null : { ...found, authorization: found.authorization };
}

/** The name of the setting that would hold a token for the host of a URL. */
export function settingFor(url: URL, { access }: Pick<GitSettings, "access">): string {
  return access.find(({ host }) => host === url.host)?.setting ?? ownServers;
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
