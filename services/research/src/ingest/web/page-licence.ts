import { licenceOfAddress, statedLicence } from "../attribution/licence-name.ts";
import { plainWords } from "../attribution/plain-words.ts";
import type { HtmlDocument, HtmlElement } from "./html-document.ts";
import type { LinkedData } from "./json-ld.ts";

type Licence = ReturnType<typeof statedLicence>;

export interface StatedLicences {
  /** What links are relative to; null where that is not known. */
  url: string | null;
  /** In the linked data. */
  linked: NonNullable<LinkedData["licence"]>;
  /** In metadata that is meant for it. */
  stated: readonly string[];
}

const creativeCommons = /^https?:\/\/(?:www\.)?creativecommons\.org\/(?:licenses|publicdomain)\/\w/i;
const furniture =
  "footer a[href], [role=contentinfo] a[href], [id*=footer] a[href], [class*=footer] a[href], [class*=licen] a[href], [class*=copyright] a[href]";

/**
 * The licence that a page states of itself: in its head, in its linked data, in metadata, by links marked as such, or by a
 * link to Creative Commons in its footer. Links to several licences say nothing of the page.
 */
export function pageLicence(document: HtmlDocument, { url, linked, stated }: StatedLicences): Licence {
  const links = (selector: string) =>
    [...document.querySelectorAll(selector)].flatMap((link) => linkOf(link, url) ?? []);
  return (
    ofLinks(links("link[rel~=license][href]")) ??
    known(statedLicence(linked)) ??
    ofWords(stated[0] ?? "") ??
    ofLinks(links("a[rel~=license][href]")) ??
    ofLinks(links(furniture).filter(({ address }) => creativeCommons.test(address))) ??
    {}
  );
}

/** Rights of a page can be a notice of copyright, or a licence. */
export function isCopyright(words: string): boolean {
  return (
    /©|\(c\)|copyright|rights reserved/i.test(words) &&
    !/licen[cs]e|creative ?commons|\bcc[ -]?(?:by|0)\b|public domain/i.test(words)
  );
}

function ofWords(words: string): Licence | null {
  return known(statedLicence(/^https?:/i.test(words) ? { address: words } : { words }));
}

interface Link {
  address: string;
  words: string;
}

function ofLinks(links: readonly Link[]): Licence | null {
  const [first, ...others] = links;
  if (first === undefined) return null;
  const target = ({ address }: Link) => licenceOfAddress(address) ?? address;
  if (others.some((other) => target(other) !== target(first))) return null;
  const words = links.find((link) => link.words.length > 3)?.words;
  return known(statedLicence({ words, address: first.address }));
}

function linkOf(link: HtmlElement, url: string | null): Link | null {
  const address = URL.parse(link.getAttribute("href") ?? "", url ?? undefined);
  if (address === null || !/^https?:$/.test(address.protocol)) return null;
  address.hash = "";
  return { address: address.href, words: plainWords(link.textContent) };
}

function known(licence: Licence): Licence | null {
  return licence.licence === undefined ? null : licence;
}
