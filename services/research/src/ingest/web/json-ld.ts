import type { HtmlDocument } from "./html-document.ts";

type Json = Readonly<Record<string, unknown>>;

/** What a page says of itself in JSON-LD. */
export interface LinkedData {
  authors: string[];
  publisher?: string;
  published?: string;
  copyright?: string;
  licence?: { words?: string; address?: string };
  /** Of a scholarly article: its identifiers as written. */
  identifiers: string[];
}

/** Characters of one script; more is data, not a description. */
const longestScript = 500_000;
const mostNodes = 2_000;
const works =
  /(?:Article|Posting|Report|CreativeWork|Dataset|Book|Chapter|Thesis|HowTo|SoftwareSourceCode|WebPage)$/;

/**
 * The description of the page's own work: that of its only article, else of its only work of another kind. What stands
 * within it (what it cites, comments, what is offered beside it) is not looked at.
 */
export function linkedData(document: HtmlDocument): LinkedData | null {
  const nodes = [...document.querySelectorAll('script[type="application/ld+json" i]')].flatMap((script) =>
    nodesOf(script.textContent),
  );
  const ofType = (type: RegExp) => nodes.filter((node) => typesOf(node).some((name) => type.test(name)));
  const [articles, pages] = [ofType(/(?:Article|Posting)$/), ofType(/WebPage$/)];
  const others = ofType(works).filter((node) => !pages.includes(node));
  const main = articles.length === 0 ? (only(others) ?? only(pages)) : only(articles);
  if (main === null) return null;
  const byId = new Map(
    nodes.flatMap((node) => (typeof node["@id"] === "string" ? [[node["@id"], node]] : [])),
  );
  return described(main, (value) => resolved(value, byId));
}

type Resolve = (value: unknown) => unknown;

function described(work: Json, resolve: Resolve): LinkedData {
  const name = (key: string) => namesOf(work[key], resolve)[0];
  const authors = namesOf(work["author"], resolve);
  const [holder, year] = [name("copyrightHolder"), textOf(work["copyrightYear"])];
  const notice =
    textOf(work["copyrightNotice"]) ?? (holder === undefined ? undefined : copyrightOf(holder, year));
  const [licence] = listOf(work["license"]).map((one) => licenceOf(resolve(one)));
  const [publisher, published] = [name("publisher"), textOf(work["datePublished"])];
  const isScholarly = typesOf(work).some((type) => type.endsWith("ScholarlyArticle"));
  return {
    authors: authors.length > 0 ? authors : namesOf(work["creator"], resolve),
    ...(publisher === undefined ? {} : { publisher }),
    ...(published === undefined ? {} : { published }),
    ...(notice === undefined ? {} : { copyright: notice }),
    ...(licence === undefined ? {} : { licence }),
    identifiers: isScholarly ? identifiersOf(work) : [],
  };
}

function identifiersOf(work: Json): string[] {
  const all = [work["identifier"], work["sameAs"], work["doi"]].flatMap(listOf);
  return all.flatMap((one) => textOf(one) ?? textOf(isJson(one) ? one["value"] : undefined) ?? []);
}

function copyrightOf(holder: string, year: string | undefined): string {
  return `© ${year === undefined ? "" : `${year} `}${holder}`;
}

function licenceOf(value: unknown): { words?: string; address?: string } {
  const text = textOf(value);
  if (text !== undefined) return /^https?:/i.test(text) ? { address: text } : { words: text };
  if (!isJson(value)) return {};
  const [words, address] = [textOf(value["name"]), textOf(value["url"]) ?? textOf(value["@id"])];
  return { ...(words === undefined ? {} : { words }), ...(address === undefined ? {} : { address }) };
}

/** Of persons and organisations: objects, references to others of the page, or plain names; one or a list. */
function namesOf(value: unknown, resolve: Resolve): string[] {
  return listOf(value).flatMap((one) => {
    const found = resolve(one);
    return (
      textOf(found) ?? (isJson(found) ? listOf(found["name"]).flatMap((name) => textOf(name) ?? []) : [])
    );
  });
}

function resolved(value: unknown, byId: ReadonlyMap<unknown, Json>): unknown {
  if (!isJson(value) || "name" in value) return value;
  return byId.get(value["@id"]) ?? value;
}

function nodesOf(script: string): Json[] {
  if (script.length > longestScript) return [];
  try {
    const roots = listOf(JSON.parse(script) as unknown);
    const nodes = roots.flatMap((root) => (isJson(root) ? [root, ...listOf(root["@graph"])] : []));
    return nodes.filter(isJson).slice(0, mostNodes);
  } catch {
    return [];
  }
}

function typesOf(node: Json): string[] {
  return listOf(node["@type"]).flatMap((type) =>
    typeof type === "string" ? type.replace(/^.*[/#:]/, "") : [],
  );
}

function only<T>(all: readonly T[]): T | null {
  return all.length === 1 ? (all[0] ?? null) : null;
}

function listOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value.slice(0, mostNodes) : [value];
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
