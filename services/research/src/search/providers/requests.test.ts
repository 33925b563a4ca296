import {
  arxivFeed,
  type FakePage,
  type FakeProvider,
  searxngBody,
  startFakeProvider,
  tavilyBody,
  wikipediaBody,
} from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ProviderName, SearchResult } from "../provider.ts";
import { providersAt } from "../test-search.ts";

let fake: FakeProvider;
beforeEach(async () => {
  fake = await startFakeProvider();
});
afterEach(() => fake.close());

const pages: FakePage[] = [
  { url: "https://a.dev/one", title: "One", text: "The first page says this much." },
  { url: "https://b.dev/two", title: "Two", text: "The second page says that." },
];

async function search(name: ProviderName, query = "how do retries work?"): Promise<SearchResult[]> {
  const provider = await providersAt(fake.base).open(name, async () => "de");
  return provider.search(query, { signal: new AbortController().signal, maxResults: 5 });
}

describe("what providers are asked", () => {
  test("Tavily: advanced search of five results with three excerpts each, which become paragraphs", async () => {
    fake.next({ body: tavilyBody("q", [{ url: "https://a.dev/", title: "A", text: "One. [...] Two." }]) });
    const [result] = await search("tavily");
    expect(result?.text).toBe("One.\n\nTwo.");
    const [request] = fake.requests;
    expect([request?.method, request?.path]).toEqual(["POST", "/search"]);
    expect(request?.json()).toEqual({
      query: "how do retries work?",
      search_depth: "advanced",
      max_results: 5,
      chunks_per_source: 3,
    });
  });

  test("SearXNG: JSON, below the path of its base, and no more results than wanted", async () => {
    const many = Array.from({ length: 30 }, (_, at) => ({
      url: `https://a.dev/${at}`,
      title: `${at}`,
      text: "x",
    }));
    fake.next({ body: searxngBody("q", many) });
    const provider = await providersAt("", {
      settings: { searxng: { baseUrl: `${fake.base}/searxng` } },
    }).open("searxng", async () => "en");
    const { signal } = new AbortController();
    expect(await provider.search("a & b", { signal, maxResults: 5 })).toHaveLength(5);
    expect(fake.requests[0]?.path).toBe("/searxng/search");
    expect(Object.fromEntries(fake.requests[0]?.query ?? [])).toEqual({ q: "a & b", format: "json" });
  });

  test("SearXNG: 403 explains the setting that is off by default", async () => {
    fake.next({ status: 403, body: "<html>Forbidden</html>" });
    await expect(search("searxng")).rejects.toMatchObject({
      code: "not_configured",
      remedy: expect.stringContaining("search.formats"),
    });
  });

  test("SearXNG: engines that do not answer are not an empty result (all searches throttled)", async () => {
    fake.next({ body: searxngBody("q", [], [["google", "access denied"]]) });
    await expect(search("searxng")).rejects.toMatchObject({
      code: "unreachable",
      disposition: { kind: "retry" },
    });
  });

  test("an error payload with status 200 is no missing key of an object", async () => {
    fake.next({ body: { message: "Unauthorized.", statusCode: 403 } });
    await expect(search("searxng")).rejects.toMatchObject({
      code: "unreachable",
      disposition: { kind: "fail" },
    });
  });

  test("Wikipedia: the introductions in the guideline's language, with their licence", async () => {
    fake.next({ body: wikipediaBody(pages) });
    const provider = await providersAt("", {
      settings: { wikipedia: { baseUrl: `${fake.base}/{language}`, language: undefined } },
    }).open("wikipedia", async () => "de");
    const results = await provider.search("Wiederholung", {
      signal: new AbortController().signal,
      maxResults: 5,
    });
    expect(results[0]).toMatchObject({ licence: "CC-BY-SA-4.0" });
    expect(fake.requests[0]?.path).toBe("/de/w/api.php");
    expect(fake.requests[0]?.query.get("gsrsearch")).toBe("Wiederholung");
  });

  test.each([
    ["ratelimited", { code: "quota", disposition: { kind: "retry" } }],
    ["badvalue", { code: "unreachable", disposition: { kind: "fail" } }],
  ])("Wikipedia: its own error %s with status 200 is an error", async (code, error) => {
    fake.next({ body: { error: { code, info: "x" } } });
    await expect(search("wikipedia")).rejects.toMatchObject(error);
  });

  test("arXiv: the words that say something, without what its query language would trip over", async () => {
    fake.next({ body: arxivFeed(pages) });
    await search("arxiv", 'How does "speculative decoding" work: (a survey) AND more?');
    expect(fake.requests[0]?.query.get("search_query")).toBe(
      "all:speculative OR all:decoding OR all:work OR all:survey OR all:more",
    );
  });

  test("arXiv: authors, date, and that it is only the abstract", async () => {
    fake.next({
      body: arxivFeed([
        { url: "http://arxiv.org/abs/2401.01234v2", title: "A\n  title", text: "An\nabstract." },
      ]),
    });
    expect(await search("arxiv")).toEqual([
      {
        url: "https://arxiv.org/abs/2401.01234v2",
        title: "A title",
        text: "An abstract.",
        published: "2024-05-06T17:00:00Z",
        author: "First Author, Second Author",
        omissions: ["all of the paper but its abstract"],
      },
    ]);
  });

  test("arXiv: its errors, which come as a feed of one entry, are no paper", async () => {
    fake.next({
      body: arxivFeed([
        { url: "http://arxiv.org/api/errors#incorrect_id", title: "Error", text: "incorrect id" },
      ]),
    });
    await expect(search("arxiv")).rejects.toMatchObject({ code: "invalid_input" });
  });

  test("arXiv: one request at a time for the whole process, with three seconds between", async () => {
    const waits: { ms: number; end: () => void }[] = [];
    const providers = providersAt(fake.base, {
      wait: (ms) => new Promise((resolve) => void waits.push({ ms, end: resolve })),
    });
    const { signal } = new AbortController();
    const [one, other] = await Promise.all([1, 2].map(() => providers.open("arxiv", async () => "en")));
    fake.next({ body: arxivFeed(pages) }, { body: arxivFeed(pages) });
    await Promise.all([
      one?.search("first", { signal, maxResults: 1 }),
      (async () => {
        while (waits.length === 0) await new Promise((resolve) => setImmediate(resolve));
        expect(fake.requests).toHaveLength(1);
        expect(waits[0]?.ms).toBe(3_000);
        waits[0]?.end();
      })(),
      other?.search("second", { signal, maxResults: 1 }),
    ]);
    expect(fake.requests).toHaveLength(2);
    expect(fake.open.most).toBe(1);
  });
});
