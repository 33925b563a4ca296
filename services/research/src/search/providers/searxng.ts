import { ProofroomError } from "@proofroom/contracts";
import { z } from "zod";
import { askJson, endpoint, type ProviderDeps } from "../ask-provider.ts";
import type { SearchProvider } from "../provider.ts";
import { nothingFound } from "../provider-error.ts";
import type { Timeout } from "../search-settings.ts";

const words = { title: "SearXNG", addressSetting: "SEARXNG_BASE_URL" };

const answerSchema = z.object({
  results: z.array(
    z.object({
      url: z.string(),
      title: z.string().nullish(),
      content: z.string().nullish(),
      publishedDate: z.string().nullish(),
    }),
  ),
  unresponsive_engines: z.array(z.unknown()).default([]),
});

/** A SearXNG of one's own: https://docs.searxng.org/dev/search_api.html */
export function createSearxng(
  settings: { baseUrl: string } & Timeout,
  { now, timeoutMs = settings.timeoutMs ?? 20_000 }: ProviderDeps,
): SearchProvider {
  return {
    name: "searxng",
    longestQuery: 1_000,
    async search(query, { signal, maxResults }) {
      const url = endpoint(settings.baseUrl, "/search", { q: query, format: "json" });
      const { results, unresponsive_engines } = await askJson(
        { words, url, signal, now, timeoutMs, refusals: { 403: noJson() } },
        answerSchema,
      );
      if (results.length === 0) throw unresponsive_engines.length > 0 ? noEngine() : nothingFound(words);
      return results.slice(0, maxResults).map((result) => ({
        url: result.url,
        title: result.title ?? "",
        text: result.content ?? "",
        ...(result.publishedDate ? { published: result.publishedDate } : {}),
      }));
    },
  };
}

function noJson(): ProofroomError {
  return new ProofroomError({
    code: "not_configured",
    message: "SearXNG refuses to answer in JSON (status 403).",
    remedy: "Add json to search.formats in its settings.yml and restart it.",
  });
}

/** Nothing found is one thing; nobody asked is another. */
function noEngine(): ProofroomError {
  return new ProofroomError({
    code: "unreachable",
    message: "None of the engines behind SearXNG answered.",
    remedy: "Look at its statistics of engines; search engines may be blocking it.",
    disposition: { kind: "retry" },
  });
}
