import { type FakeProvider, type ScriptedAnswer, startFakeProvider } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createHostTurns } from "./host-turns.ts";
import { createRobots } from "./robots.ts";

let fake: FakeProvider;
let time: number;
let waits: number[];

beforeEach(async () => {
  fake = await startFakeProvider();
  time = Date.parse("2026-03-01T12:00:00Z");
  waits = [];
});
afterEach(() => fake.close());

const signal = () => new AbortController().signal;
const rules = (text: string): ScriptedAnswer => ({ headers: { "content-type": "text/plain" }, body: text });
const at = (path: string) => new URL(path, fake.base);

function robots(options: { timeoutMs?: number } = {}) {
  const clock = {
    now: () => new Date(time),
    wait: async (ms: number) => {
      waits.push(ms);
      time += ms;
    },
  };
  return createRobots({
    allowHosts: new Set([new URL(fake.base).host]),
    ...clock,
    hosts: createHostTurns(clock),
    timeoutMs: 2_000,
    ...options,
  });
}

describe("robots.txt", () => {
  test("the rules for Proofroom hold for it, and those for all others do not", async () => {
    fake.next(
      rules(
        "User-agent: *\nDisallow: /\n\nUser-agent: proofroom\nDisallow: /private\nAllow: /private/open$\n",
      ),
    );
    const site = robots();
    await site.assertAllowed(at("/page"), signal());
    await site.assertAllowed(at("/private/open"), signal());
    await expect(site.assertAllowed(at("/private/x"), signal())).rejects.toMatchObject({
      code: "refused",
      message: `The page ${at("/private/x")} is one that the site's robots.txt asks programs not to fetch.`,
      remedy: expect.stringMatching(/local file.*PROOFROOM_ROBOTS=off/),
      disposition: { kind: "fail" },
    });
    expect(fake.requests.map(({ path }) => path)).toEqual(["/robots.txt"]);
    expect(fake.requests[0]?.headers["user-agent"]).toMatch(/^Proofroom\//);
  });

  test.each([404, 401, 403, 410])("a site that answers %d forbids nothing", async (status) => {
    fake.next({ status });
    await robots().assertAllowed(at("/page"), signal());
  });

  test("what is no robots.txt forbids nothing", async () => {
    fake.next(rules("<!doctype html><html><body>Disallow: /</body></html>"));
    await robots().assertAllowed(at("/page"), signal());
  });

  test.each([
    ["LF", "\n"],
    ["CR", "\r"],
    ["CR and LF", "\r\n"],
  ])(
    "of one with %s that is larger than any page the first 512 KiB hold, and the rule in which they end does not",
    async (_name, end) => {
      const before = `User-agent: *${end}Disallow: /private${end}`;
      const last = `Disallow: /page-of-others${end}`;
      const kept = 512 * 1024 + 1 - "Disallow: /page".length;
      const comments = `#${"-".repeat(kept - before.length - 1 - end.length)}${end}`;
      const rest = `#${"-".repeat(99)}${end}`.repeat(170_000);
      fake.next(rules(`${before}${comments}${last}${rest}`));
      const site = robots();
      await expect(site.assertAllowed(at("/private/x"), signal())).rejects.toMatchObject({ code: "refused" });
      await site.assertAllowed(at("/page"), signal());
    },
  );

  test("of one that has 512 KiB the last rule holds, though no line end follows it", async () => {
    const [before, last] = ["User-agent: *\n", "Disallow: /private"];
    const comments = `#${"-".repeat(512 * 1024 - before.length - last.length - 2)}\n`;
    fake.next(rules(`${before}${comments}${last}`));
    await expect(robots().assertAllowed(at("/private/x"), signal())).rejects.toMatchObject({
      code: "refused",
    });
  });

  test.each<[string, ScriptedAnswer, object]>([
    [
      "answers 503",
      { status: 503, headers: { "retry-after": "9" } },
      { kind: "retry_after", delayMs: 9_000 },
    ],
    ["answers 500", { status: 500 }, { kind: "retry" }],
    ["is cut", { cut: "at_once" }, { kind: "retry" }],
    ["is silent", { after: new Promise(() => {}) }, { kind: "retry" }],
  ])(
    "a robots.txt that %s forbids all for now, and is asked again the next time",
    async (_name, answer, disposition) => {
      fake.next(answer, rules("User-agent: *\nAllow: /\n"));
      const site = robots({ timeoutMs: 500 });
      await expect(site.assertAllowed(at("/page"), signal())).rejects.toMatchObject({
        message: expect.stringContaining("robots.txt"),
        disposition,
      });
      await site.assertAllowed(at("/page"), signal());
    },
  );

  test("is asked once by all who come at the same time, and again after an hour", async () => {
    fake.next(rules("User-agent: *\nDisallow: /a\n"), rules("User-agent: *\nDisallow: /b\n"));
    const site = robots();
    await Promise.all(["/1", "/2", "/3"].map((path) => site.assertAllowed(at(path), signal())));
    expect(fake.requests).toHaveLength(1);
    time += 3_600_000;
    await site.assertAllowed(at("/a"), signal());
    expect(fake.requests).toHaveLength(2);
  });

  test("whoever is aborted waits no longer, and takes the answer from nobody else", async () => {
    const answered = Promise.withResolvers<void>();
    fake.next({ ...rules(""), after: answered.promise });
    const site = robots();
    const abort = new AbortController();
    const [aborted, other] = [
      site.assertAllowed(at("/"), abort.signal),
      site.assertAllowed(at("/"), signal()),
    ];
    abort.abort(new Error("stopped"));
    await expect(aborted).rejects.toThrow("stopped");
    answered.resolve();
    await other;
    expect(fake.requests).toHaveLength(1);
  });

  test.each([
    ["Crawl-delay: 4", [4_000, 4_000]],
    ["Crawl-delay: 3600", [10_000, 10_000]],
    ["Crawl-delay: soon", []],
    ["", []],
  ])("%j between requests is kept, within reason", async (line, pauses) => {
    fake.next(rules(`User-agent: *\n${line}\nAllow: /\n`));
    const site = robots();
    for (const path of ["/1", "/2", "/3"]) await site.pace(at(path), { signal: signal() });
    expect(waits).toEqual(pauses);
  });

  test("a pause between requests takes up no worker: whoever comes back later is told when", async () => {
    fake.next(rules("User-agent: *\nCrawl-delay: 4\nAllow: /\n"));
    const site = robots();
    const visitor = { signal: signal(), comesBack: true };
    await site.pace(at("/1"), visitor);
    for (const path of ["/2", "/3"]) {
      const error = await site.pace(at(path), visitor).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: "quota", disposition: { kind: "wait" } });
      expect((error as { disposition: { delayMs: number } }).disposition.delayMs).toBeGreaterThanOrEqual(
        4_000,
      );
    }
    time += 4_000;
    await site.pace(at("/2"), visitor);
    expect(waits).toEqual([]);
  });

  test("a hostile file is no work of minutes", async () => {
    const rule = `Disallow: /${"*a".repeat(90)}b\n`;
    fake.next(rules(`User-agent: *\n${rule.repeat(2_500)}`));
    await robots().assertAllowed(at(`/${"a".repeat(20_000)}`), signal());
  });
});
