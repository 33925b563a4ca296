import { z } from "zod";
import { Secret } from "./secret.ts";

const languagePlace = "{language}";

/** An address that requests are made below; without a slash at its end. */
const baseUrl = z
  .string()
  .refine((value) => isBaseUrl(value.replace(languagePlace, "en")), {
    error: "must be an http:// or https:// URL without user, query and fragment",
  })
  .transform((value) => value.replace(/\/+$/, ""));

/** A key as a header can carry it. */
const apiKey = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]+$/, { error: "must be a key without spaces" })
  .transform((value) => new Secret(value));

/** The providers of search: their addresses (which may be private ones), and the keys of those that need one. */
export const searchConfig = z
  .object({
    TAVILY_API_KEY: apiKey.optional(),
    TAVILY_BASE_URL: baseUrl.default("https://api.tavily.com"),
    SEARXNG_BASE_URL: baseUrl.optional(),
    PERPLEXITY_API_KEY: apiKey.optional(),
    PERPLEXITY_BASE_URL: baseUrl.default("https://api.perplexity.ai"),
    ARXIV_BASE_URL: baseUrl.default("https://export.arxiv.org"),
    WIKIPEDIA_BASE_URL: baseUrl.default(`https://${languagePlace}.wikipedia.org`),
    WIKIPEDIA_LANGUAGE: z
      .string()
      .regex(/^[a-z]{2,12}(?:-[a-z]{2,12})*$/, { error: "must be the code of a Wikipedia, such as en" })
      .optional(),
  })
  .transform((env) => ({
    search: {
      tavily: { apiKey: env.TAVILY_API_KEY, baseUrl: env.TAVILY_BASE_URL },
      searxng: { baseUrl: env.SEARXNG_BASE_URL },
      perplexity: { apiKey: env.PERPLEXITY_API_KEY, baseUrl: env.PERPLEXITY_BASE_URL },
      arxiv: { baseUrl: env.ARXIV_BASE_URL },
      wikipedia: { baseUrl: env.WIKIPEDIA_BASE_URL, language: env.WIKIPEDIA_LANGUAGE },
    },
  }));

function isBaseUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  return url.username === "" && url.password === "" && url.search === "" && url.hash === "";
}
