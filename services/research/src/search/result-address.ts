import type { ErrorCode } from "@proofroom/contracts";
import { isPublicHost } from "@proofroom/evidence";

/** What only tells a site where its visitors come from. */
const tracking =
  /^(?:utm_\w+|fbclid|gclid|dclid|gbraid|wbraid|msclkid|yclid|twclid|igshid|mc_[ce]id|_hs(?:enc|mi)|ref_src|srsltid)$/i;
/** In characters. */
const longest = 2_000;

export interface ResultAddress {
  /** As it is shown and fetched: without fragment and tracking. */
  ref: string;
  /** Equal for all addresses of one page. */
  key: string;
}

/**
 * The address of a search result. It is foreign, and someone may fetch it later: only http(s) addresses of public
 * hosts without credentials are taken.
 * @returns the code of a failure where it is none of these
 */
export function resultAddress(text: string): ResultAddress | ErrorCode {
  const url = text.length > longest ? null : URL.parse(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    return "invalid_input";
  if (!isPublicHost(url.hostname)) return "private_address";
  url.hash = "";
  const names = [...url.searchParams.keys()].filter((name) => tracking.test(name));
  // Writing parameters spells all of them anew, which some sites do not take.
  for (const name of names) url.searchParams.delete(name);
  return { ref: url.href, key: addressKey(url) };
}

/** Scheme, `www.` and trailing slash aside; of arXiv the paper, whichever version or format. */
function addressKey(url: URL): string {
  const host = url.hostname.replace(/^www\./, "") + (url.port === "" ? "" : `:${url.port}`);
  const [, paper] =
    (/(?:^|\.)arxiv\.org$/.test(host) &&
      /^\/(?:abs|pdf|html)\/((?:[a-z-]+(?:\.[A-Z]{2})?\/)?\d[\d.]*\d)(?:v\d+)?(?:\.pdf)?\/?$/.exec(
        url.pathname,
      )) ||
    [];
  if (paper !== undefined) return `arxiv.org/abs/${paper}`;
  return `${host}${url.pathname.replace(/\/+$/, "")}${url.search}`;
}
