import { type FakeProvider, perplexityBody, startFakeProvider } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { SearchResult } from "../provider.ts";
import { providersAt } from "../test-search.ts";

let fake: FakeProvider;
beforeEach(async () => {
  fake = await startFakeProvider();
});
afterEach(() => fake.close());

const cost: number[] = [];
beforeEach(() => {
  cost.length = 0;
});

async function search(): Promise<SearchResult[]> {
  const provider = await providersAt(fake.base).open("perplexity", async () => "de");
  const { signal } = new AbortController();
  const costs = (usd: number) => cost.push(usd);
  return provider.search("how do retries work?", { signal, maxResults: 5, costs });
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

  test("an answer that is broken off says so, and its half sentence is from no source", async () => {
    const sources = ["https://a.dev/", "https://b.dev/"].map((url) => ({ url, title: url, text: "" }));
    const answer = "Retries help [1]. They never hurt [2]. Jitter [1] does no har";
    fake.next({ body: perplexityBody(answer, sources, "length") });
    const results = await search();
    expect(results.map(({ url, text }) => [url, text])).toEqual([
      ["https://a.dev/", "Retries help."],
      ["https://b.dev/", "They never hurt."],
    ]);
    for (const { omissions } of results)
      expect(omissions).toContainEqual(expect.stringContaining("broken off"));
  });

  test("a whole answer is not told as broken off", async () => {
    const source = { url: "https://a.dev/", title: "A", text: "" };
    fake.next({ body: perplexityBody("It says so [1]", [source]) });
    expect(await search()).toMatchObject([
      { text: "It says so", omissions: [expect.not.stringContaining("broken off")] },
    ]);
  });

  test("its cost is told as it says it, also of an answer without a source", async () => {
    fake.next({ body: perplexityBody("It says so [1].", [{ url: "https://a.dev/", title: "A", text: "" }]) });
    await search();
    fake.next({ body: perplexityBody("Nobody knows.", []) });
    await expect(search()).rejects.toMatchObject({ code: "no_evidence" });
    expect(cost).toEqual([0.009, 0.009]);
  });

  test.each([
    ["none", undefined],
    ["one in another form", { cost: "much" }],
    ["a negative one", { cost: { total_cost: -1 } }],
  ])("an answer with %s as its cost is an answer all the same", async (_what, usage) => {
    const source = { url: "https://a.dev/", title: "A", text: "" };
    fake.next({ body: { ...perplexityBody("It says so [1].", [source]), usage } });
    expect(await search()).toHaveLength(1);
    expect(cost).toEqual([]);
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
