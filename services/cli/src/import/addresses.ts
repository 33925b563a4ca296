import { isPublicHost } from "@proofroom/evidence";

/** In characters. */
const longest = 2_000;

/**
 * An address as a reference: http(s), of a public host, without credentials and fragment; null for anything else.
 * What it gives is only ever shown, never fetched here.
 */
export function addressOf(text: string): string | null {
  if (text.length > longest) return null;
  const trimmed = withoutTail(text.trim());
  if (!/^https?:\/\//i.test(trimmed)) return null;
  const url = URL.parse(trimmed);
  if (url === null || url.username !== "" || url.password !== "" || !isPublicHost(url.hostname)) return null;
  return trimmed.replace(/#.*$/s, "");
}

/** Without the punctuation that a sentence puts behind an address; brackets of its own stay. */
function withoutTail(text: string): string {
  const bare = text.replace(/[>\]"'`*,.;:]+$/, "");
  const isOpen = bare.endsWith(")") && bare.split("(").length < bare.split(")").length;
  return isOpen ? withoutTail(bare.slice(0, -1)) : bare;
}

/** Addresses with equal keys are one page: scheme, `www.`, trailing slash and tracking aside. */
export function addressKey(address: string): string {
  const url = URL.parse(address);
  if (url === null) return address;
  for (const name of [...url.searchParams.keys()]) {
    if (/^(?:utm_.*|fbclid|gclid)$/i.test(name)) url.searchParams.delete(name);
  }
  return `${url.hostname.replace(/^www\./, "")}${url.pathname.replace(/\/+$/, "")}${url.search}`;
}

/** The part of a host by which its owner is known, roughly: its last two labels. */
export function domainOf(address: string): string {
  return URL.parse(address)?.hostname.split(".").slice(-2).join(".") ?? "";
}
