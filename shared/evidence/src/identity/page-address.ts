import { arxivIdOfAddress } from "./identifiers.ts";

/** What only tells a site where its visitors come from. */
const tracking =
  /^(?:utm_\w+|fbclid|gclid|dclid|gbraid|wbraid|msclkid|yclid|twclid|igshid|mc_[ce]id|_hs(?:enc|mi)|ref_src|srsltid)$/i;

/** The same address without fragment and tracking; otherwise spelt as it was. */
export function plainAddress(address: URL): URL {
  const url = new URL(address);
  url.hash = "";
  const names = [...url.searchParams.keys()].filter((name) => tracking.test(name));
  // Writing parameters spells all of them anew, which some sites do not take.
  for (const name of names) url.searchParams.delete(name);
  return url;
}

/**
 * Equal for all addresses of one page: scheme, `www.`, trailing slash, fragment and tracking aside; of arXiv the paper,
 * whichever version or format.
 */
export function addressKey(address: URL): string {
  const paper = arxivIdOfAddress(address);
  if (paper !== null) return `arxiv.org/abs/${paper}`;
  const url = plainAddress(address);
  const port = url.port === "" ? "" : `:${url.port}`;
  return `${url.hostname.replace(/^www\./, "")}${port}${url.pathname.replace(/\/+$/, "")}${url.search}`;
}

const variantParameter = /^(?:amp|print|printable|outputtype|mobile|m)$/i;
const variantValue = /^(?:|1|y|yes|true|on|amp|print)$/i;

/**
 * The address of the page of which this may be the AMP, print or mobile version. An address can also look so by chance
 * (`/print` may be about printing): it takes equal texts to tell.
 */
export function usualAddress(address: URL): URL {
  const cached = /^\/(?:[civ]|amp)\/(?:s\/)?(.+)$/.exec(
    /(?:^|\.)ampproject\.org$|^(?:www\.)?google\.com$/.test(address.hostname) ? address.pathname : "",
  )?.[1];
  const url = plainAddress(URL.parse(`https://${cached ?? ""}`) ?? address);
  url.hostname = url.hostname.replace(/^(?:m|mobile|amp)\.(?=[^.]+\.[^.]+)/, "");
  url.pathname = url.pathname.replace(/^\/amp(?=\/)|(?:\/amp|\/print|\.amp)(?:\.html?)?\/?$/i, "");
  const names = [...url.searchParams].filter(
    ([name, value]) => variantParameter.test(name) && variantValue.test(value),
  );
  for (const [name] of names) url.searchParams.delete(name);
  return url;
}
