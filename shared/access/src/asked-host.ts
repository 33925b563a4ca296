import type { IncomingMessage } from "node:http";

/** A host without its port. */
const hostName = /\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,255}/;
const hostHeader = new RegExp(`^(?<name>${hostName.source})(?::\\d{1,5})?$`);

/** Whether a text, in lower case, is the name of a host, without a port. */
export function isHostName(text: string): boolean {
  return hostHeader.exec(text)?.groups?.["name"] === text;
}

/** The authority of an address in absolute form (RFC 9112, 3.2.2). */
function authorityOf(url: string): string | undefined {
  return /^https?:\/\/([^/?#]*)/i.exec(url)?.[1]?.toLowerCase();
}

interface AskedHost {
  /** As the header has it, in lower case: with its port, where it says one. */
  host: string;
  /** Without. */
  name: string;
}

/**
 * The host that a request names, or null where that is not clear: without a valid Host header, with two (RFC 9112, 3.2), or with
 * one beside another in its address. A proxy may have looked at the other.
 */
export function askedHost({
  rawHeaders,
  url = "",
  headers,
}: Pick<IncomingMessage, "rawHeaders" | "url" | "headers">): AskedHost | null {
  const host = headers.host?.toLowerCase() ?? "";
  const name = hostHeader.exec(host)?.groups?.["name"];
  const isOne = rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === "host").length === 1;
  const isItsOwn = url.startsWith("/") || url === "*" || authorityOf(url) === host;
  return name === undefined || !isOne || !isItsOwn ? null : { host, name };
}
