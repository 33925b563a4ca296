import {
  type FakeProvider,
  fakeFirecrawl,
  firecrawlBody,
  firecrawlError,
  startFakeProvider,
} from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { firecrawlAt } from "../../testing/firecrawl-at.ts";

let fake: FakeProvider;
beforeEach(async () => {
  fake = await startFakeProvider();
});
afterEach(() => fake.close());

const page = "https://docs.example.com/guide/";
const signal = () => new AbortController().signal;
const scrape = (options = {}) => firecrawlAt(fake.base, options).scrape(page, signal());

/** A body that begins and does not end. */
async function* unending(first: string) {
  yield first;
  await new Promise(() => {});
}

describe("what Firecrawl is asked", () => {
  test("a page as it is now, as HTML and as Markdown, with the key that is set", async () => {
    fake.next({ body: firecrawlBody(page, { html: "<p>x</p>", markdown: "x", title: "X" }) });
    await expect(scrape({ key: "fc-test" })).resolves.toEqual({
      html: "<p>x</p>",
      markdown: "x",
      title: "X",
      finalUrl: page,
      status: 200,
      contentType: "text/html; charset=utf-8",
    });
    const [request] = fake.requests;
    expect([request?.method, request?.path]).toEqual(["POST", "/v2/scrape"]);
    expect(request?.headers["authorization"]).toBe("Bearer fc-test");
    expect(request?.json()).toMatchObject({ url: page, formats: ["rawHtml", "markdown"], maxAge: 0 });
  });

  test("a Firecrawl of one's own is asked without a key, below the path of its base", async () => {
    fake.next({ body: firecrawlBody(page, { html: "<p>x</p>" }) });
    await firecrawlAt(`${fake.base}/firecrawl`).scrape(page, signal());
    expect(fake.requests[0]?.path).toBe("/firecrawl/v2/scrape");
    expect(fake.requests[0]?.headers).not.toHaveProperty("authorization");
  });

  test("a title that comes as a list is its first", async () => {
    fake.next({ body: { success: true, data: { markdown: "x", metadata: { title: ["A", "B"] } } } });
    await expect(scrape()).resolves.toMatchObject({ title: "A", finalUrl: page, status: undefined });
  });

  test("a map lists addresses, in the old form and the new", async () => {
    fake.next({ body: { success: true, links: [`${page}a`, { url: `${page}b`, title: "B" }] } });
    const links = await firecrawlAt(fake.base).map(page, { signal: signal(), limit: 9 });
    expect(links).toEqual([`${page}a`, `${page}b`]);
    expect(fake.requests[0]?.json()).toMatchObject({ url: page, limit: 9, includeSubdomains: false });
  });
});

describe("what comes of an answer that is none", () => {
  test.each([
    [401, {}, "not_configured", { kind: "fail" }],
    [402, {}, "quota", { kind: "fail" }],
    [400, {}, "invalid_input", { kind: "fail" }],
    [403, {}, "invalid_input", { kind: "fail" }],
    [404, {}, "not_configured", { kind: "fail" }],
    [408, {}, "unreachable", { kind: "fail" }],
    [429, {}, "quota", { kind: "retry" }],
    [429, { "retry-after": "7" }, "quota", { kind: "retry_after", delayMs: 7_000 }],
    [429, { "retry-after": "3600" }, "quota", { kind: "fail" }],
    [500, {}, "unreachable", { kind: "retry" }],
    [503, { "retry-after": "3" }, "unreachable", { kind: "retry_after", delayMs: 3_000 }],
    [302, { location: "https://elsewhere.example/" }, "not_configured", { kind: "fail" }],
  ])("status %d with %j is %s, to %j", async (status, headers, code, disposition) => {
    fake.next(firecrawlError(status, "Unauthorized: fc-canary", headers as Record<string, string>));
    const error = await scrape({ key: "fc-canary" }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code, disposition });
    expect(String(error)).not.toContain("canary");
    expect(fake.requests).toHaveLength(1);
  });

  test.each([
    ["a web page", { body: "<html><body>Welcome</body></html>" }, "retry"],
    ["no JSON", { body: "{" }, "retry"],
    ["JSON of another form", { body: { ok: true } }, "fail"],
    ["a failure with status 200", { body: { success: false, error: "x" } }, "fail"],
    ["a connection that is cut at once", { cut: "at_once" as const }, "retry"],
    ["a body that is cut", { body: '{"success":true,', cut: "in_body" as const }, "retry"],
  ])("%s is unreachable", async (_name, answer, kind) => {
    fake.next(answer);
    await expect(scrape()).rejects.toMatchObject({ code: "unreachable", disposition: { kind } });
  });

  test("a body that does not end is timed out", async () => {
    fake.next({ body: unending('{"success":') });
    await expect(scrape({ timeoutMs: 150 })).rejects.toMatchObject({ code: "timeout" });
  });

  test("a body that is too large is not read to its end", async () => {
    async function* long() {
      for (let megabyte = 0; megabyte < 48; megabyte += 1) yield "a".repeat(1024 * 1024);
    }
    fake.next({ body: long() });
    await expect(scrape()).rejects.toMatchObject({ code: "too_large" });
  });

  test("an abort ends the request with the signal's reason", async () => {
    fake.next({ after: new Promise(() => {}) });
    const abort = new AbortController();
    const running = firecrawlAt(fake.base).scrape(page, abort.signal);
    abort.abort(new Error("stopped"));
    await expect(running).rejects.toThrow("stopped");
  });
});

describe("a crawl", () => {
  const limits = () => ({ signal: signal(), limit: 20, depth: 3, path: "^/guide/" });
  const guide = Object.fromEntries(["", "a", "b", "c", "d"].map((name) => [`${page}${name}`, { html: "x" }]));

  test("is waited for, and its list read to the end", async () => {
    const waits: number[] = [];
    const known = fakeFirecrawl(guide);
    await fake.close();
    let asked = 0;
    fake = await startFakeProvider((request) => {
      const isStatus = request.method === "GET";
      asked += isStatus ? 1 : 0;
      return isStatus && asked === 1 ? { body: { status: "scraping", data: [] } } : known(request);
    });
    const firecrawl = firecrawlAt(fake.base, { wait: async (ms) => void waits.push(ms) });
    await expect(firecrawl.crawl(page, limits())).resolves.toEqual(Object.keys(guide));
    expect(waits).toEqual([2_000]);
    expect(fake.requests[0]?.json()).toMatchObject({
      url: page,
      limit: 20,
      maxDiscoveryDepth: 3,
      includePaths: ["^/guide/"],
      allowExternalLinks: false,
    });
  });

  test("whose list leads to another place is not followed there, and is stopped", async () => {
    const other = await startFakeProvider();
    try {
      fake.next(
        { body: { success: true, id: "c1" } },
        { body: { status: "completed", next: `${other.base}/v2/crawl/c1?skip=2`, data: [] } },
      );
      const running = firecrawlAt(fake.base, { key: "fc-test" }).crawl(page, limits());
      await expect(running).rejects.toMatchObject({ code: "unreachable", disposition: { kind: "fail" } });
      expect(other.requests).toHaveLength(0);
      expect(fake.requests.at(-1)).toMatchObject({ method: "DELETE", path: "/v2/crawl/c1" });
    } finally {
      await other.close();
    }
  });

  test("that is aborted is stopped, so that it spends no more", async () => {
    const abort = new AbortController();
    fake.next({ body: { success: true, id: "c1" } }, { body: { status: "scraping", data: [] } });
    const firecrawl = firecrawlAt(fake.base, {
      wait: async (_ms, waiting) => {
        abort.abort(new Error("stopped"));
        waiting?.throwIfAborted();
      },
    });
    await expect(firecrawl.crawl(page, { ...limits(), signal: abort.signal })).rejects.toThrow("stopped");
    expect(fake.requests.at(-1)).toMatchObject({ method: "DELETE", path: "/v2/crawl/c1" });
  });

  test("that failed is unreachable", async () => {
    fake.next({ body: { success: true, id: "c1" } }, { body: { status: "failed", data: [] } });
    await expect(firecrawlAt(fake.base).crawl(page, limits())).rejects.toMatchObject({ code: "unreachable" });
  });
});
