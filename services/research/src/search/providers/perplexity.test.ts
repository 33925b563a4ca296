import { type FakeProvider, perplexityBody, startFakeProvider } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { SearchResult } from "../provider.ts";
import { providersAt } from "../test-search.ts";

let fake: FakeProvider;
beforeEach(async () => {
  fake = await startFakeProvider();
});
afterEach(() => fake.close());

async function search(): Promise<SearchResult[]> {
  const provider = await providersAt(fake.base).open("perplexity", async () => "de");
  return provider.search("how do retries work?", { signal: new AbortController().signal, maxResults: 5 });
}

describe("Perplexity", () => {
  test("sonar-pro, with the query as it is", async () => {
    fake.next({ body: perplexityBody("It says so [1].", [{ url: "https://a.dev/", title: "A", text: "" }]) });
    await search();
    expect(fake.requests[0]?.path).toBe("/chat/completions");
    expect(fake.requests[0]?.json()).toMatchObject({
      model: "sonar-pro",
      messages: [{ role: "system" }, { role: "user", content: "how do retries work?" }],
    });
  });

  test("each source gets what is said from it, never the whole answer", async () => {
    const sources = ["https://a.dev/", "https://b.dev/", "https://c.dev/"].map((url) => ({
      url,
      title: url,
      text: "",
    }));
    fake.next({
      body: perplexityBody(
        "Retries help.[1] They also hurt.[2][1]\n\n- Jitter spreads them [2].\nNobody says this.",
        sources,
      ),
    });
    const results = await search();
    expect(results.map(({ url, text }) => [url, text])).toEqual([
      ["https://a.dev/", "Retries help. They also hurt."],
      ["https://b.dev/", "They also hurt.\n\nJitter spreads them."],
    ]);
    expect(results[0]?.omissions?.[0]).toContain("what Perplexity answered");
  });

  test("an address in the words of the answer is no source (https://invented.dev cited)", async () => {
    fake.next({ body: perplexityBody("See https://invented.dev/page for all of it.", []) });
    await expect(search()).rejects.toMatchObject({
      code: "no_evidence",
      message: expect.stringContaining("no source"),
    });
  });

  test("sources that nothing is credited to are no evidence", async () => {
    const sources = ["https://a.dev/", "https://b.dev/"].map((url) => ({ url, title: url, text: "" }));
    fake.next({ body: perplexityBody("An answer that cites [7] and nothing else [0].", sources) });
    await expect(search()).rejects.toMatchObject({ code: "no_evidence" });
  });

  test("newer answers list results only, with an excerpt of the page before what is said from it", async () => {
    const choices = [{ message: { content: "Jitter helps [1]." } }];
    const search_results = [
      { url: "https://a.dev/", title: "A", date: "2026-01-02", snippet: "Jitter spreads retries." },
      { url: "https://b.dev/", title: "B", date: null, snippet: "Nobody speaks of it." },
      { url: "https://c.dev/", title: "C", date: null },
    ];
    fake.next({ body: { choices, search_results } });
    expect(await search()).toMatchObject([
      { url: "https://a.dev/", text: "Jitter spreads retries.\n\nJitter helps.", published: "2026-01-02" },
      {
        url: "https://b.dev/",
        text: "Nobody speaks of it.",
        omissions: [expect.stringContaining("excerpt")],
      },
    ]);
  });

  test("older answers list addresses only", async () => {
    fake.next({
      body: {
        choices: [{ message: { content: "All of it is from there." } }],
        citations: ["https://a.dev/"],
      },
    });
    expect(await search()).toMatchObject([
      { url: "https://a.dev/", title: "", text: "All of it is from there." },
    ]);
  });
});
