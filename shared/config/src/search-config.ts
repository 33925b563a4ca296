import { z } from "zod";
import { apiKey, baseUrl, languagePlace, requestTimeout } from "./provider-fields.ts";

/** The providers of search: their addresses (which may be private ones), and the keys of those that need one. */
export const searchConfig = z
  .object({
    TAVILY_API_KEY: apiKey.optional(),
    TAVILY_BASE_URL: baseUrl.default("https://api.tavily.com"),
    TAVILY_TIMEOUT: requestTimeout.optional(),
    SEARXNG_BASE_URL: baseUrl.optional(),
    SEARXNG_TIMEOUT: requestTimeout.optional(),
    PERPLEXITY_API_KEY: apiKey.optional(),
    PERPLEXITY_BASE_URL: baseUrl.default("https://api.perplexity.ai"),
    PERPLEXITY_TIMEOUT: requestTimeout.optional(),
    ARXIV_BASE_URL: baseUrl.default("https://export.arxiv.org"),
    ARXIV_TIMEOUT: requestTimeout.optional(),
    WIKIPEDIA_BASE_URL: baseUrl.default(`https://${languagePlace}.wikipedia.org`),
    WIKIPEDIA_TIMEOUT: requestTimeout.optional(),
    WIKIPEDIA_LANGUAGE: z
      .string()
      .regex(/^[a-z]{2,12}(?:-[a-z]{2,12})*$/, { error: "must be the code of a Wikipedia, such as en" })
      .optional(),
  })
  .transform((env) => ({
    search: {
      tavily: {
        apiKey: env.TAVILY_API_KEY,
        baseUrl: env.TAVILY_BASE_URL,
        timeoutMs: env.TAVILY_TIMEOUT,
      },
      searxng: { baseUrl: env.SEARXNG_BASE_URL, timeoutMs: env.SEARXNG_TIMEOUT },
      perplexity: {
        apiKey: env.PERPLEXITY_API_KEY,
        baseUrl: env.PERPLEXITY_BASE_URL,
        timeoutMs: env.PERPLEXITY_TIMEOUT,
      },
      arxiv: { baseUrl: env.ARXIV_BASE_URL, timeoutMs: env.ARXIV_TIMEOUT },
      wikipedia: {
        baseUrl: env.WIKIPEDIA_BASE_URL,
        language: env.WIKIPEDIA_LANGUAGE,
        timeoutMs: env.WIKIPEDIA_TIMEOUT,
      },
    },
  }));
