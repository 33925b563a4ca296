import { z } from "zod";
import { askJson, endpoint, type ProviderDeps } from "../ask-provider.ts";
import type { SearchProvider } from "../provider.ts";
import { nothingFound, strangeAnswer, throttled } from "../provider-error.ts";
import type { Timeout } from "../search-settings.ts";

const words = { title: "Wikipedia", addressSetting: "WIKIPEDIA_BASE_URL" };

const answerSchema = z.object({
  error: z.object({ code: z.string() }).optional(),
  query: z
    .object({
      pages: z.array(
        z.object({
          title: z.string(),
          index: z.int(),
          extract: z.string().nullish(),
          fullurl: z.string(),
        }),
      ),
    })
    .optional(),
});

/** Errors of MediaWiki that pass. */
const busy: ReadonlySet<string> = new Set([
  "ratelimited",
  "maxlag",
  "readonly",
  "cirrussearch-too-busy-error",
]);

/**
 * Articles of a Wikipedia with their introductions, through the MediaWiki API:
 * https://www.mediawiki.org/wiki/API:Search, https://www.mediawiki.org/wiki/Extension:TextExtracts
 * @param settings the base URL may hold `{language}`
 */
export function createWikipedia(
  settings: { baseUrl: string; language: string } & Timeout,
  { now, timeoutMs = settings.timeoutMs ?? 20_000 }: ProviderDeps,
): SearchProvider {
  const base = settings.baseUrl.replace("{language}", settings.language);
  return {
    name: "wikipedia",
    longestQuery: 300,
    async search(query, { signal, maxResults }) {
      const url = endpoint(base, "/w/api.php", {
        action: "query",
        format: "json",
        formatversion: "2",
        generator: "search",
        gsrsearch: query,
        gsrlimit: String(maxResults),
        prop: "extracts|info",
        inprop: "url",
        exintro: "1",
        explaintext: "1",
        exlimit: String(maxResults),
      });
      const answer = await askJson({ words, url, signal, now, timeoutMs }, answerSchema);
      if (answer.error !== undefined) {
        if (busy.has(answer.error.code)) throw throttled(words);
        throw strangeAnswer(words, "an error of its own", { isSpoilt: false });
      }
      const pages = (answer.query?.pages ?? []).toSorted((one, other) => one.index - other.index);
      if (pages.length === 0) throw nothingFound(words);
      return pages.map(({ title, extract, fullurl }) => ({
        url: fullurl,
        title,
        text: extract ?? "",
        licence: "CC-BY-SA-4.0",
        omissions: ["all of the article but its introduction"],
      }));
    },
  };
}
