import { describe, expect, test } from "vitest";
import { parseEnv } from "./parse-env.ts";
import { searchConfig } from "./search-config.ts";

describe("the settings of search", () => {
  test("without any there is no key, and the public addresses are known", () => {
    expect(parseEnv(searchConfig, {}).search).toEqual({
      tavily: { apiKey: undefined, baseUrl: "https://api.tavily.com" },
      searxng: { baseUrl: undefined },
      perplexity: { apiKey: undefined, baseUrl: "https://api.perplexity.ai" },
      arxiv: { baseUrl: "https://export.arxiv.org" },
      wikipedia: { baseUrl: "https://{language}.wikipedia.org", language: undefined },
    });
  });

  test("a key does not show itself, and the line break that a file ends with is no part of it", () => {
    const { search } = parseEnv(searchConfig, { TAVILY_API_KEY: "tvly-canary\n" });
    expect(search.tavily.apiKey?.reveal()).toBe("tvly-canary");
    expect(JSON.stringify(search)).not.toContain("canary");
  });

  test("addresses of one's own may be private, and lose the slash at their end", () => {
    const { search } = parseEnv(searchConfig, { SEARXNG_BASE_URL: "http://10.0.0.5:8888/searxng/" });
    expect(search.searxng.baseUrl).toBe("http://10.0.0.5:8888/searxng");
  });

  test("each provider has a timeout, in seconds, where one is set", () => {
    const { search } = parseEnv(searchConfig, { TAVILY_TIMEOUT: "2.5", WIKIPEDIA_TIMEOUT: "60" });
    expect(search.tavily.timeoutMs).toBe(2_500);
    expect(search.wikipedia.timeoutMs).toBe(60_000);
    expect(search.arxiv.timeoutMs).toBeUndefined();
  });

  test.each([
    ["TAVILY_API_KEY", "two hunter2"],
    ["PERPLEXITY_API_KEY", "hunter2\u00e9"],
    ["SEARXNG_BASE_URL", "http://user:hunter2@searx"],
    ["TAVILY_BASE_URL", "file:///hunter2"],
    ["ARXIV_BASE_URL", "https://x.dev/?hunter2"],
    ["WIKIPEDIA_BASE_URL", "hunter2"],
    ["WIKIPEDIA_LANGUAGE", "evil.dev/hunter2"],
    ["SEARXNG_TIMEOUT", "hunter2"],
    ["PERPLEXITY_TIMEOUT", "0"],
    ["ARXIV_TIMEOUT", "3601"],
  ])("%s is refused without showing what it holds", (name, value) => {
    const parse = () => parseEnv(searchConfig, { [name]: value });
    expect(parse).toThrow(name);
    expect(parse).not.toThrow(/hunter2/);
  });
});
