import { readFile } from "node:fs/promises";
import { ProofroomError } from "@proofroom/contracts";
import { splitSentences } from "@proofroom/evidence";
import { z } from "zod";
import { askJson, endpoint, type ProviderDeps } from "../ask-provider.ts";
import { attribute } from "../attribute.ts";
import type { SearchProvider, SearchResult } from "../provider.ts";
import type { Key, Timeout } from "../search-settings.ts";

const words = {
  title: "Perplexity",
  addressSetting: "PERPLEXITY_BASE_URL",
  keySetting: "PERPLEXITY_API_KEY",
};

const answerSchema = z.object({
  choices: z.array(
    z.object({
      message: z.object({ content: z.string().nullish() }),
      /** `length` of an answer that was broken off. */
      finish_reason: z.string().nullish(),
    }),
  ),
  /** In US dollars; what has no such form says nothing. */
  usage: z
    .object({ cost: z.object({ total_cost: z.number().nonnegative() }) })
    .nullish()
    .catch(null),
  /** What `[n]` in the answer stands for. */
  citations: z.array(z.string()).nullish(),
  search_results: z
    .array(
      z.object({
        url: z.string(),
        title: z.string().nullish(),
        date: z.string().nullish(),
        snippet: z.string().nullish(),
      }),
    )
    .nullish(),
});
type Answer = z.output<typeof answerSchema>;

/**
 * Perplexity's answers, each part under the source that it is from:
 * https://docs.perplexity.ai/api-reference/chat-completions-post. An address counts only where Perplexity lists
 * it as a source; one in the words of the answer may be invented. What the answer does not draw on, and shows
 * nothing of, is left out. How many sources there are is Perplexity's choice.
 */
export function createPerplexity(
  settings: { apiKey: Key; baseUrl: string } & Timeout,
  { now, timeoutMs = settings.timeoutMs ?? 90_000 }: ProviderDeps,
): SearchProvider {
  return {
    name: "perplexity",
    longestQuery: 2_000,
    async search(query, { signal, costs }) {
      const prompt = await readFile(new URL("../../prompts/perplexity-search.md", import.meta.url), "utf8");
      const answer = await askJson(
        {
          words,
          url: endpoint(settings.baseUrl, "/chat/completions"),
          signal,
          now,
          timeoutMs,
          headers: { authorization: `Bearer ${settings.apiKey.reveal()}` },
          body: {
            model: "sonar-pro",
            temperature: 0,
            messages: [
              { role: "system", content: prompt },
              { role: "user", content: query },
            ],
          },
        },
        answerSchema,
      );
      // An answer is paid for, whatever it is worth.
      if (answer.usage) costs?.(answer.usage.cost.total_cost);
      return resultsOf(answer);
    },
  };
}

function resultsOf({ choices, citations, search_results }: Answer): SearchResult[] {
  const listed = new Map((search_results ?? []).map((result) => [result.url, result]));
  const urls = citations?.length ? citations : [...listed.keys()];
  if (urls.length === 0) throw withoutSource();
  const { message, finish_reason } = choices[0] ?? {};
  const isBrokenOff = finish_reason === "length";
  const content = message?.content ?? "";
  const said = attribute(isBrokenOff ? withoutRest(content) : content, urls.length);
  const results = urls.flatMap((url, at): SearchResult[] => {
    const { title, date, snippet } = listed.get(url) ?? {};
    const words = said.get(at + 1);
    const excerpt = snippet?.trim() || undefined;
    if (words === undefined && excerpt === undefined) return [];
    return [
      {
        url,
        title: title ?? "",
        text: [excerpt, words].filter((part) => part !== undefined).join("\n\n"),
        ...(date ? { published: date } : {}),
        omissions: [
          `the page itself: the text is ${describe(excerpt, words)}`,
          ...(isBrokenOff ? ["what Perplexity had not said yet when its answer was broken off"] : []),
        ],
      },
    ];
  });
  if (results.length === 0) throw unclear();
  return results;
}

/** An answer without the sentence in whose middle it was broken off: half of one may say the opposite. */
function withoutRest(content: string): string {
  const last = splitSentences(content).at(-1);
  const isWhole = last === undefined || /[.!?。！？…\]]["'”’)*_]*$/.test(last.text);
  return isWhole ? content : content.slice(0, last.start);
}

function describe(excerpt: string | undefined, words: string | undefined): string {
  if (words === undefined) return "an excerpt that Perplexity shows";
  const answer = "what Perplexity answered from it";
  return excerpt === undefined ? answer : `an excerpt of it and ${answer}`;
}

function withoutSource(): ProofroomError {
  return new ProofroomError({
    code: "no_evidence",
    message: "Perplexity named no source for its answer.",
    remedy: "Put the query into other words, or choose another provider.",
  });
}

function unclear(): ProofroomError {
  return new ProofroomError({
    code: "no_evidence",
    message: "Perplexity did not say which of its sources says what.",
    remedy: "Put the query into other words, or choose another provider.",
  });
}
