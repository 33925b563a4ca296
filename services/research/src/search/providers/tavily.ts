import { z } from "zod";
import { askJson, endpoint, type ProviderDeps } from "../ask-provider.ts";
import type { SearchProvider } from "../provider.ts";
import { nothingFound } from "../provider-error.ts";
import type { Key, Timeout } from "../search-settings.ts";

const words = { title: "Tavily", addressSetting: "TAVILY_BASE_URL", keySetting: "TAVILY_API_KEY" };

const answerSchema = z.object({
  results: z.array(
    z.object({
      url: z.string(),
      title: z.string().nullish(),
      content: z.string().nullish(),
      published_date: z.string().nullish(),
    }),
  ),
});

/** Excerpts taken from one page, which Tavily joins by `[...]`. */
const excerptsPerPage = 3;

/** Tavily's search: https://docs.tavily.com/documentation/api-reference/endpoint/search */
export function createTavily(
  settings: { apiKey: Key; baseUrl: string } & Timeout,
  { now, timeoutMs = settings.timeoutMs ?? 30_000 }: ProviderDeps,
): SearchProvider {
  return {
    name: "tavily",
    longestQuery: 400,
    async search(query, { signal, maxResults }) {
      const { results } = await askJson(
        {
          words,
          url: endpoint(settings.baseUrl, "/search"),
          signal,
          now,
          timeoutMs,
          headers: { authorization: `Bearer ${settings.apiKey.reveal()}` },
          body: {
            query,
            search_depth: "advanced",
            max_results: maxResults,
            chunks_per_source: excerptsPerPage,
          },
        },
        answerSchema,
      );
      if (results.length === 0) throw nothingFound(words);
      return results.map(({ url, title, content, published_date }) => ({
        url,
        title: title ?? "",
        text: (content ?? "")
          .split("[...]")
          .map((excerpt) => excerpt.trim())
          .join("\n\n"),
        ...(published_date ? { published: published_date } : {}),
      }));
    },
  };
}
