import { askProvider, endpoint, type ProviderDeps } from "../ask-provider.ts";
import type { SearchProvider, SearchResult } from "../provider.ts";
import { nothingFound, refusedQuery, strangeAnswer, throttled } from "../provider-error.ts";
import type { Timeout } from "../search-settings.ts";
import type { Turns } from "../turns.ts";

const words = { title: "arXiv", addressSetting: "ARXIV_BASE_URL" };

/** Words that say nothing about a paper, and the operators of arXiv's own query language. */
const emptyWords: ReadonlySet<string> = new Set(
  `a an and andnot are as at be by can do does for from has have how in is it its not of on or that the their this to was what when
  where which who why will with`.split(/\s+/),
);

/**
 * Abstracts of arXiv: https://info.arxiv.org/help/api/user-manual.html
 * @param turns arXiv asks for one request at a time, with three seconds between
 */
export function createArxiv(
  settings: { baseUrl: string; turns: Turns } & Timeout,
  { now, timeoutMs = settings.timeoutMs ?? 30_000 }: ProviderDeps,
): SearchProvider {
  return {
    name: "arxiv",
    longestQuery: 300,
    async search(query, { signal, maxResults }) {
      const url = endpoint(settings.baseUrl, "/api/query", {
        search_query: searchQuery(query),
        start: "0",
        max_results: String(maxResults),
        sortBy: "relevance",
        sortOrder: "descending",
      });
      const text = await settings.turns.take(
        () => askProvider({ words, url, signal, now, timeoutMs }),
        signal,
      );
      return readFeed(text);
    },
  };
}

/** Any of the words that say something, the best matches first: as a phrase or all together they find next to nothing. */
function searchQuery(query: string): string {
  const all = query.match(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu) ?? [];
  const telling = all.filter((word) => !emptyWords.has(word.toLowerCase()));
  const chosen = telling.length > 0 ? telling : all;
  return chosen.length === 0 ? query : chosen.map((word) => `all:${word}`).join(" OR ");
}

/** The part of the DOM that is used here; the project is compiled without the browser's types. */
interface XmlElement {
  readonly tagName: string;
  readonly textContent: string;
  querySelector(selector: string): XmlElement | null;
  querySelectorAll(selector: string): Iterable<XmlElement>;
}

async function readFeed(text: string): Promise<SearchResult[]> {
  const { DOMParser } = await import("linkedom");
  const { documentElement } = new DOMParser().parseFromString(text, "text/xml");
  const feed = documentElement as unknown as XmlElement | null;
  if (feed?.tagName !== "feed") {
    if (/rate exceeded/i.test(text.slice(0, 500))) throw throttled(words);
    throw strangeAnswer(words, "what is no Atom feed", { isSpoilt: true });
  }
  const results: SearchResult[] = [];
  for (const entry of feed.querySelectorAll("entry")) {
    const id = textOf(entry, "id");
    if (/\/api\/errors\b/.test(id)) throw refusedQuery(words);
    const authors = [...entry.querySelectorAll("author > name")].map((name) => flat(name.textContent));
    const published = textOf(entry, "published");
    results.push({
      url: id.replace(/^http:/, "https:"),
      title: textOf(entry, "title"),
      text: textOf(entry, "summary"),
      ...(published === "" ? {} : { published }),
      ...(authors.length === 0 ? {} : { author: authors.join(", ") }),
      omissions: ["all of the paper but its abstract"],
    });
  }
  if (results.length === 0) throw nothingFound(words);
  return results;
}

function textOf(entry: XmlElement, name: string): string {
  return flat(entry.querySelector(name)?.textContent);
}

/** Feeds break lines for their own sake. */
function flat(text: string | null | undefined): string {
  return (text ?? "").replace(/\s+/g, " ").trim();
}
