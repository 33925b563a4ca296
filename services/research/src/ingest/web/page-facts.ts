import type { Attribution, Identifiers } from "@proofroom/contracts";
import { agreedIdentifiers, ofDoi, parseArxivId, parseDoi } from "@proofroom/evidence";
import { authorNames, calledName } from "../attribution/author-names.ts";
import { plainWords } from "../attribution/plain-words.ts";
import type { HtmlDocument } from "./html-document.ts";
import { type LinkedData, linkedData } from "./json-ld.ts";
import { isCopyright, pageLicence } from "./page-licence.ts";

/** What a page says of itself beside its text. */
export interface PageFacts extends Attribution {
  identifiers?: Identifiers;
  canonical_url?: string;
}

/**
 * Reads who made a page, what one may do with it, and which work it is, from its metadata. Where it names several works,
 * it is taken for none of them.
 * @param url of the page after redirects; null where it is not known
 */
export function pageFacts(document: HtmlDocument, url: string | null): PageFacts {
  const meta = metaOf(document);
  const linked = linkedData(document);
  const rights = meta.all("dc.rights", "dcterms.rights");
  const licences = [
    ...meta.all("dcterms.license", "license"),
    ...rights.filter((words) => !isCopyright(words)),
  ];
  const notices = [...meta.all("copyright", "dcterms.rightsholder"), ...rights.filter(isCopyright)];
  const facts: Attribution = {
    ...present("author", authorsOf(meta, linked)),
    ...present("published", publishedOf(meta, linked)),
    ...present("publisher", publisherOf(meta, linked)),
    ...pageLicence(document, { url, linked: linked?.licence ?? {}, stated: licences }),
    ...present("copyright", copyrightOf(notices, linked)),
  };
  const identifiers = identifiersOf(meta, linked);
  const canonical = url === null ? null : canonicalOf(document, meta, url);
  return {
    ...facts,
    ...(Object.keys(identifiers).length === 0 ? {} : { identifiers }),
    ...(canonical === null ? {} : { canonical_url: canonical }),
  };
}

interface Meta {
  /** The contents of all elements of these names, in the order of the names. */
  all(...names: string[]): string[];
}

const longestContent = 2_000;

function metaOf(document: HtmlDocument): Meta {
  const contents = new Map<string, string[]>();
  for (const element of document.querySelectorAll("meta[content]")) {
    const name = (element.getAttribute("name") ?? element.getAttribute("property") ?? "")
      .trim()
      .toLowerCase();
    const content = (element.getAttribute("content") ?? "").trim();
    if (name === "" || content === "" || content.length > longestContent) continue;
    const known = contents.get(name);
    if (known === undefined) contents.set(name, [content]);
    else known.push(content);
  }
  return { all: (...names) => names.flatMap((name) => contents.get(name) ?? []) };
}

function authorsOf(meta: Meta, linked: LinkedData | null): string | undefined {
  const scholarly = meta.all("citation_author").map(calledName);
  const lists = meta.all("citation_authors").flatMap((list) => list.split(";").map(calledName));
  const creators = meta.all("dc.creator", "dcterms.creator").map(calledName);
  return (
    authorNames([...scholarly, ...lists]) ??
    authorNames(linked?.authors ?? []) ??
    authorNames(creators) ??
    authorNames(meta.all("author", "article:author", "parsely-author", "sailthru.author"))
  );
}

function publisherOf(meta: Meta, linked: LinkedData | null): string | undefined {
  const stated = [
    ...meta.all("citation_journal_title", "citation_conference_title", "citation_publisher"),
    ...meta.all("dc.publisher", "dcterms.publisher"),
    ...(linked?.publisher === undefined ? [] : [linked.publisher]),
    ...meta.all("og:site_name", "application-name"),
  ];
  return stated.map((words) => plainWords(words, 120)).find((words) => /\p{L}/u.test(words));
}

function publishedOf(meta: Meta, linked: LinkedData | null): string | undefined {
  const [stated] = [
    ...meta.all("citation_publication_date", "citation_date", "citation_online_date"),
    ...meta.all("article:published_time", "dcterms.issued", "dc.date.issued"),
    ...(linked?.published === undefined ? [] : [linked.published]),
    ...meta.all("dc.date", "date", "parsely-pub-date"),
  ];
  return stated === undefined ? undefined : dateOf(stated);
}

/** The day, month or year that a date names, as ISO 8601 writes it; what is written otherwise stays so. */
export function dateOf(text: string): string {
  const [, year = "", month, day] =
    /^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?(?!\d)/.exec(text.trim()) ?? [];
  if (year === "") return plainWords(text, 60);
  return [year, ...[month, day].flatMap((part) => part?.padStart(2, "0") ?? [])].join("-");
}

function copyrightOf(stated: readonly string[], linked: LinkedData | null): string | undefined {
  const notices = [...stated, ...(linked?.copyright === undefined ? [] : [linked.copyright])];
  return notices.map((words) => plainWords(words)).find((words) => words !== "");
}

function identifiersOf(meta: Meta, linked: LinkedData | null): Identifiers {
  const stated = [
    ...meta.all("citation_doi", "prism.doi", "bepress_citation_doi", "dc.identifier", "dcterms.identifier"),
    ...meta.all("dc.identifier.doi", "dc.source.doi"),
    ...(linked?.identifiers ?? []),
  ];
  const found: Identifiers[] = [
    ...stated.map((text) => ofDoi(parseDoi(text))),
    ...meta.all("citation_arxiv_id").map((text) => named("arxiv", parseArxivId(text))),
    ...meta.all("citation_pmid").map((text) => named("pmid", /^\d{1,9}$/.exec(text)?.[0])),
    ...meta.all("citation_pmcid").map((text) => named("pmcid", /^pmc\d{1,9}$/i.exec(text)?.[0])),
  ];
  return agreedIdentifiers(found);
}

function named(name: keyof Identifiers, id: string | null | undefined): Identifiers {
  return id === null || id === undefined ? {} : { [name]: id.toLowerCase() };
}

/** The address that the page gives as its own, on its host, unless that is only the address of the site. */
function canonicalOf(document: HtmlDocument, meta: Meta, url: string): string | null {
  const link = document.querySelector("link[rel~=canonical][href]")?.getAttribute("href");
  const stated = link ?? meta.all("og:url")[0];
  const [here, canonical] = [new URL(url), stated === undefined ? null : URL.parse(stated, url)];
  if (canonical === null || !/^https?:$/.test(canonical.protocol)) return null;
  canonical.hash = "";
  const site = (host: string) => host.replace(/^www\./, "");
  const isSite = canonical.pathname === "/" && canonical.search === "" && here.pathname !== "/";
  return site(canonical.host) === site(here.host) && !isSite ? canonical.href : null;
}

function present<Key extends string>(key: Key, value: string | undefined): { [K in Key]?: string } {
  return (value === undefined ? {} : { [key]: value }) as { [K in Key]?: string };
}
