import { ProofroomError } from "@proofroom/contracts";
import { type FakeProvider, firecrawlBody, firecrawlError, startFakeProvider } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Wait } from "../../search/wait.ts";
import { firecrawlAt } from "../../testing/firecrawl-at.ts";
import { createPatientFirecrawl } from "./patient-firecrawl.ts";

let fake: FakeProvider;
let time: number;
let waits: number[];
beforeEach(async () => {
  fake = await startFakeProvider();
  time = 0;
  waits = [];
});
afterEach(() => fake.close());

const page = "https://docs.example.com/";
const body = { body: firecrawlBody(page, { html: "<p>x</p>" }) };
const wait: Wait = async (ms, signal) => {
  signal?.throwIfAborted();
  waits.push(ms);
};

function scraping() {
  const patient = createPatientFirecrawl(firecrawlAt(fake.base), { now: () => new Date(time), wait });
  const { signal } = new AbortController();
  return () => patient.ask((firecrawl) => firecrawl.scrape(page, signal), signal);
}

describe("a Firecrawl that is of no use for now", () => {
  test.each([
    [firecrawlError(429, "x", { "retry-after": "7" }), 7_000],
    [firecrawlError(502, "x"), 1_000],
  ])("is asked once more after the pause that it asks for", async (refusal, pause) => {
    fake.next(refusal, body);
    expect(await scraping()()).toMatchObject({ value: { html: "<p>x</p>" } });
    expect(waits).toEqual([pause]);
  });

  test("is asked twice for a page and no more", async () => {
    fake.next(firecrawlError(502, "x"), firecrawlError(502, "x"), body);
    const scrape = scraping();
    expect(await scrape()).toMatchObject({ why: { code: "unreachable" } });
    expect(await scrape()).toMatchObject({ value: {} });
  });

  test.each([
    [402, "quota"],
    [401, "not_configured"],
  ])("is left alone for a minute after %d", async (status, code) => {
    fake.next(firecrawlError(status, "x"), body);
    const scrape = scraping();
    for (const at of [0, 59_999]) {
      time = at;
      expect(await scrape()).toMatchObject({ why: { code } });
    }
    expect(fake.requests).toHaveLength(1);
    time = 60_000;
    expect(await scrape()).toMatchObject({ value: {} });
  });

  test("is not left alone for a page that it does not take", async () => {
    fake.next(firecrawlError(403, "x"), body);
    const scrape = scraping();
    expect(await scrape()).toMatchObject({ why: { code: "invalid_input" } });
    expect(await scrape()).toMatchObject({ value: {} });
    expect(waits).toEqual([]);
  });

  test.each([
    ["a budget that is spent", new ProofroomError({ code: "budget", message: "It is spent." })],
    [
      "a store of ours that does not answer",
      new ProofroomError({ code: "unreachable", message: "The store does not answer." }),
    ],
    ["a fault of ours", new TypeError("x is not a function")],
  ])("is not blamed for %s, and not asked for the page again", async (_name, ours) => {
    fake.next(body, body);
    const patient = createPatientFirecrawl(firecrawlAt(fake.base), { now: () => new Date(time), wait });
    const { signal } = new AbortController();
    const asked = patient.ask(async (firecrawl) => {
      await firecrawl.scrape(page, signal);
      throw ours;
    }, signal);
    await expect(asked).rejects.toBe(ours);
    expect(fake.requests).toHaveLength(1);
    expect(waits).toEqual([]);
  });
});
