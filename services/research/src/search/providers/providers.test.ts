import {
  arxivFeed,
  type FakePage,
  type FakeProvider,
  perplexityBody,
  type ScriptedAnswer,
  searxngBody,
  startFakeProvider,
  tavilyBody,
  wikipediaBody,
} from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ProviderName, SearchResult } from "../provider.ts";
import { providersAt } from "../test-search.ts";

const pages: FakePage[] = [
  { url: "https://a.dev/one", title: "One", text: "The first page says this much.", published: "2026-01-02" },
  { url: "https://b.dev/two", title: "Two & more", text: "The second page says < that." },
];

const good: Readonly<Record<ProviderName, ScriptedAnswer>> = {
  tavily: { body: tavilyBody("q", pages) },
  searxng: { body: searxngBody("q", pages) },
  perplexity: { body: perplexityBody("It says this [1]. It says that [2].", pages) },
  arxiv: { body: arxivFeed(pages) },
  wikipedia: { body: wikipediaBody(pages) },
};
const empty: Readonly<Record<ProviderName, ScriptedAnswer>> = {
  tavily: { body: tavilyBody("q", []) },
  searxng: { body: searxngBody("q", []) },
  perplexity: { body: perplexityBody("From memory I would say so.", []) },
  arxiv: { body: arxivFeed([]) },
  wikipedia: { body: wikipediaBody([]) },
};
const names = Object.keys(good) as ProviderName[];
const withKey: readonly ProviderName[] = ["tavily", "perplexity"];

let fake: FakeProvider;
beforeEach(async () => {
  fake = await startFakeProvider();
});
afterEach(() => fake.close());

async function search(
  name: ProviderName,
  options: { signal?: AbortSignal; timeoutMs?: number; query?: string; key?: string } = {},
): Promise<SearchResult[]> {
  const { signal = new AbortController().signal, query = "how do retries work?", ...rest } = options;
  const provider = await providersAt(fake.base, rest).open(name, async () => "de");
  return provider.search(query, { signal, maxResults: 5 });
}

describe.each(names)("%s", (name) => {
  test("gives address, title and text of what it finds, the best first", async () => {
    fake.next(good[name]);
    const results = await search(name);
    expect(results.map(({ url, title }) => [url, title])).toEqual(
      pages.map(({ url, title }) => [url, title]),
    );
    results.forEach(({ text }, at) => {
      expect(text).toContain(pages[at]?.text);
    });
  });

  test("an empty answer is told, not taken for an answer (a search that returns [])", async () => {
    fake.next(empty[name]);
    await expect(search(name)).rejects.toMatchObject({ code: "no_evidence", disposition: { kind: "fail" } });
  });

  test.each<[string, ScriptedAnswer, object]>([
    [
      "429 with a hint waits as long as it is told",
      { status: 429, headers: { "retry-after": "7" } },
      { code: "quota", disposition: { kind: "retry_after", delayMs: 7_000 } },
    ],
    [
      "429 with a date waits until then",
      { status: 429, headers: { "retry-after": "Sun, 01 Mar 2026 12:00:30 GMT" } },
      { code: "quota", disposition: { kind: "retry_after", delayMs: 30_000 } },
    ],
    ["429 without a hint is tried again", { status: 429 }, { code: "quota", disposition: { kind: "retry" } }],
    [
      "a pause of an hour is not waited for",
      { status: 429, headers: { "retry-after": "3600" } },
      { code: "quota", disposition: { kind: "fail" } },
    ],
    ["503 is tried again", { status: 503 }, { code: "unreachable", disposition: { kind: "retry" } }],
    [
      "503 with a hint waits as long as it is told",
      { status: 503, headers: { "retry-after": "2" } },
      { code: "unreachable", disposition: { kind: "retry_after", delayMs: 2_000 } },
    ],
    [
      "an error page of a proxy is no answer",
      { status: 502, headers: { "content-type": "text/html" }, body: "<html><h1>Bad gateway</h1></html>" },
      { code: "unreachable", disposition: { kind: "retry" } },
    ],
    [
      "nor is one with status 200",
      { headers: { "content-type": "text/html" }, body: "<!doctype html><h1>Sign in</h1>" },
      { code: "unreachable", disposition: { kind: "retry" } },
    ],
    [
      "nor what breaks off",
      { body: '{"results": [{"ur' },
      { code: "unreachable", disposition: { kind: "retry" } },
    ],
    ["nor nothing at all", { body: "" }, { code: "unreachable", disposition: { kind: "retry" } }],
    [
      "a cut socket is tried again",
      { cut: "at_once" },
      { code: "unreachable", disposition: { kind: "retry" } },
    ],
    [
      "so is one that is cut in the middle",
      { cut: "in_body", body: '{"results": [' },
      { code: "unreachable", disposition: { kind: "retry" } },
    ],
    [
      "more than 2 MB is not read",
      { body: "x".repeat(2 * 1024 * 1024 + 1) },
      { code: "too_large", disposition: { kind: "fail" } },
    ],
    ["a used-up plan is not asked again", { status: 432 }, { code: "quota", disposition: { kind: "fail" } }],
    [
      "a refused query is not asked again",
      { status: 400 },
      { code: "invalid_input", disposition: { kind: "fail" } },
    ],
    [
      "an address without a search is told apart from a search without results",
      { status: 404 },
      { code: "not_configured", disposition: { kind: "fail" } },
    ],
    [
      "a redirect is not followed",
      { status: 302, headers: { location: "http://elsewhere.invalid/" } },
      { code: "not_configured", disposition: { kind: "fail" } },
    ],
  ])("%s", async (_what, answer, error) => {
    fake.next(answer);
    await expect(search(name)).rejects.toMatchObject(error);
    expect(fake.requests).toHaveLength(1);
  });

  test("a body that never ends is given up when the time is over", async () => {
    const never = Promise.withResolvers<void>();
    async function* drops() {
      yield "{";
      await never.promise;
    }
    fake.next({ body: drops() });
    await expect(search(name, { timeoutMs: 50 })).rejects.toMatchObject({
      code: "timeout",
      disposition: { kind: "retry" },
    });
    never.resolve();
  });

  test("a search that is cancelled ends at once, with the reason", async () => {
    const stop = new AbortController();
    const never = Promise.withResolvers<void>();
    fake.next({ after: never.promise });
    const searching = search(name, { signal: stop.signal });
    searching.catch(() => {});
    while (fake.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    stop.abort(new Error("stopped by a person"));
    await expect(searching).rejects.toThrow("stopped by a person");
    never.resolve();
  });
});

describe.each(withKey)("the key of %s", (name) => {
  test("is sent as a bearer token, and stands in no error that repeats it", async () => {
    const key = "canary-7f3a";
    for (const status of [400, 401, 403, 429, 432, 500]) {
      fake.next({ status, headers: { "x-echo": key }, body: `Bearer ${key} is not good` });
      const error = await search(name, { key }).catch((thrown: Error) => thrown);
      expect(error).toBeInstanceOf(Error);
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(key);
      expect(String((error as Error).stack)).not.toContain(key);
    }
    expect(fake.requests.at(-1)?.headers["authorization"]).toBe(`Bearer ${key}`);
  });

  test.each([401, 403])("refused with %i names the setting and is not tried again", async (status) => {
    fake.next({ status });
    await expect(search(name)).rejects.toMatchObject({
      code: "not_configured",
      remedy: expect.stringMatching(/TAVILY_API_KEY|PERPLEXITY_API_KEY/),
      disposition: { kind: "fail" },
    });
  });
});

describe("which provider answers", () => {
  const none = providersAt("", {
    settings: {
      tavily: { apiKey: undefined, baseUrl: "" },
      searxng: { baseUrl: undefined },
      perplexity: { apiKey: undefined, baseUrl: "" },
    },
  });

  test("the first that is configured of Tavily, SearXNG and Perplexity; arXiv and Wikipedia by name only", async () => {
    const language = async () => "en";
    expect((await providersAt("http://x.dev").open(undefined, language)).name).toBe("tavily");
    const searxng = providersAt("http://x.dev", { settings: { tavily: { apiKey: undefined, baseUrl: "" } } });
    expect((await searxng.open(undefined, language)).name).toBe("searxng");
    await expect(none.open(undefined, language)).rejects.toMatchObject({
      code: "not_configured",
      message: expect.stringMatching(/TAVILY_API_KEY.*SEARXNG_BASE_URL.*PERPLEXITY_API_KEY/),
    });
    for (const name of ["arxiv", "wikipedia"] as const) {
      expect((await none.open(name, language)).name).toBe(name);
    }
  });

  test.each([
    ["tavily", "TAVILY_API_KEY"],
    ["searxng", "SEARXNG_BASE_URL"],
    ["perplexity", "PERPLEXITY_API_KEY"],
  ] as const)("%s that is asked for by name is not replaced by another: %s", async (name, setting) => {
    await expect(none.open(name, async () => "en")).rejects.toMatchObject({
      code: "not_configured",
      message: expect.stringContaining(setting),
    });
  });
});
