import { readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createFsStore, type ObjectStore } from "@proofroom/artifacts";
import { ProofroomError, type Source } from "@proofroom/contracts";
import { silentLogger } from "@proofroom/telemetry";
import { makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { testSource } from "../../capabilities/test-source.ts";
import { openPageCache, type PageCacheOptions, withoutPageCache } from "./page-cache.ts";

const day = 86_400_000;
const url = "https://x.dev/a";
const start = new Date("2026-03-01T12:00:00Z");
const context = { signal: new AbortController().signal, log: silentLogger() };

let folder: TempFolder;
let store: ObjectStore;
let fetched: string[];

beforeEach(async () => {
  folder = await makeTempFolder();
  store = createFsStore({ root: folder.path });
  fetched = [];
});

afterEach(() => folder.close());

function cache(more: Partial<PageCacheOptions> & { days?: number } = {}) {
  const { days = 0, ...options } = more;
  const now = () => new Date(start.getTime() + days * day);
  return openPageCache({
    store,
    now,
    maxAgeMs: 7 * day,
    allowHosts: new Set(["inner.dev:443"]),
    means: "http",
    ...options,
  });
}

/** A fetch that succeeds, at the clock's time. */
const page =
  (ref: string, more: { days?: number; text?: string; finalUrl?: string } = {}) =>
  async (): Promise<Source> => {
    fetched.push(ref);
    const source = testSource(ref, more.text ?? `# A page\n\nText of ${ref}.`);
    const at = new Date(start.getTime() + (more.days ?? 0) * day).toISOString();
    const provenance = { ...source.provenance, retrieved_at: at, final_url: more.finalUrl ?? ref };
    return { ...source, provenance };
  };

async function files(): Promise<string[]> {
  const all = await readdir(join(folder.path, "cache"), { recursive: true }).catch(() => []);
  return all.filter((name) => name.endsWith(".json"));
}

async function onlyFile(): Promise<string> {
  const [name = "", ...others] = await files();
  expect(others).toEqual([]);
  return join(folder.path, "cache", name);
}

describe("the cache of pages", () => {
  it("gives another run the page of the first, with the time at which it was fetched, and says so", async () => {
    const first = await cache().through(url, page(url), context);
    const second = await cache({ days: 6 }).through(url, page(url, { days: 6 }), context);
    expect(fetched).toEqual([url]);
    expect(first.provenance.from_cache).toBeUndefined();
    expect(second).toEqual({ ...first, provenance: { ...first.provenance, from_cache: true } });
    expect(second.provenance.retrieved_at).toBe(start.toISOString());
  });

  it("fetches again after a week, and then gives what is new", async () => {
    await cache().through(url, page(url), context);
    const days = 7;
    await cache({ days }).through(url, page(url, { days, text: "Newer." }), context);
    const third = await cache({ days: 13 }).through(url, page(url), context);
    expect(fetched).toEqual([url, url]);
    expect(third).toMatchObject({ text: "Newer.", provenance: { from_cache: true } });
    await onlyFile();
  });

  it("is not asked for a page that is to be had anew, and gives that one from then on", async () => {
    await cache().through(url, page(url), context);
    const anew = await cache().through(url, page(url, { text: "Newer." }), { ...context, isAnew: true });
    expect(anew).toMatchObject({ text: "Newer." });
    expect(anew.provenance.from_cache).toBeUndefined();
    expect(await cache().through(url, page(url), context)).toMatchObject({ text: "Newer." });
    expect(fetched).toEqual([url, url]);
  });

  it("keeps nothing where it is switched off", async () => {
    await withoutPageCache.through(url, page(url), context);
    await withoutPageCache.through(url, page(url), context);
    expect(fetched).toEqual([url, url]);
    expect(await files()).toEqual([]);
  });

  it("is asked for a page by its plain address, and answers with the reference that was given", async () => {
    await cache().through(`${url}?utm_source=n`, page(url), context);
    const again = await cache().through(`${url}#part`, page(url), context);
    expect(fetched).toHaveLength(1);
    expect(again.ref).toBe(`${url}#part`);
  });

  it.each([["http://x.dev/a"], ["https://x.dev/a/"], ["https://x.dev/a?page=2"], ["https://www.x.dev/a"]])(
    "takes %s for another page, which it may be",
    async (other) => {
      await cache().through(url, page(url), context);
      await cache().through(other, page(other), context);
      expect(fetched).toEqual([url, other]);
    },
  );

  it("does not give a page where it is to be fetched in another way", async () => {
    await cache().through(url, page(url), context);
    await cache({ means: "browser" }).through(url, page(url), context);
    expect(fetched).toHaveLength(2);
  });

  it("never keeps a failure", async () => {
    const failure = new ProofroomError({ code: "not_found", message: "There is no such page." });
    const failing = cache().through(url, () => Promise.reject(failure), context);
    await expect(failing).rejects.toBe(failure);
    expect(await files()).toEqual([]);
    await cache().through(url, page(url), context);
    expect(fetched).toEqual([url]);
  });

  it.each([
    ["an address on the allow list", "https://inner.dev/a", undefined],
    ["what leads to one", url, "https://inner.dev/a"],
    ["a signed address", "https://x.dev/a?X-Amz-Signature=1", undefined],
    ["what leads to one", url, "https://cdn.dev/a?token=1"],
    ["an address with a password", "https://u:p@x.dev/a", undefined],
  ])("never keeps %s", async (_what, asked, finalUrl) => {
    const fetching = page(asked, finalUrl === undefined ? {} : { finalUrl });
    await cache().through(asked, fetching, context);
    await cache().through(asked, fetching, context);
    expect(fetched).toHaveLength(2);
    expect(await files()).toEqual([]);
  });

  it("does not keep what came another way than that which is set up", async () => {
    const source = await page(url)();
    const noted = { ...source, provenance: { ...source.provenance, note: "Fetched without Firecrawl." } };
    await cache().through(url, async () => noted, context);
    expect(await files()).toEqual([]);
  });

  it.each([
    ["no JSON", () => "{"],
    ["another form", () => "[]"],
    ["a text that was changed", (text: string) => text.replace("Text of", "Words of")],
    ["another page", (text: string) => text.replaceAll("x.dev/a", "x.dev/b")],
    ["no time", (text: string) => text.replace(/"retrieved_at": "[^"]*",/, "")],
    ["a time to come", (text: string) => text.replace("2026-03-01T", "2027-03-01T")],
    ["more than a page can be", (text: string) => text + " ".repeat(17 * 1024 * 1024)],
  ])("a file that holds %s costs a fetch, and is replaced", async (_what, broken) => {
    await cache().through(url, page(url), context);
    const path = await onlyFile();
    await writeFile(path, broken(await readFile(path, "utf8")));
    const source = await cache().through(url, page(url), context);
    expect(source.text).toContain("Text of");
    await cache().through(url, page(url), context);
    expect(fetched).toEqual([url, url]);
  });

  it("two workers that fetch the same page at once both have it, and one file is kept", async () => {
    const many = Array.from({ length: 8 }, () => cache().through(url, page(url), context));
    expect(new Set((await Promise.all(many)).map(({ text }) => text)).size).toBe(1);
    await onlyFile();
    expect((await cache().through(url, page(url), context)).provenance.from_cache).toBe(true);
  });

  it("a store that fails costs a fetch", async () => {
    const away = () => Promise.reject(new ProofroomError({ code: "dependency_down", message: "away" }));
    const broken: ObjectStore = { ...store, get: away, create: away };
    const source = await cache({ store: broken }).through(url, page(url), context);
    expect(source.ref).toBe(url);
  });

  it("a cancelled step neither fetches nor keeps", async () => {
    const abort = new AbortController();
    abort.abort(new ProofroomError({ code: "cancelled", message: "The work was cancelled." }));
    const work = cache().through(url, page(url), { ...context, signal: abort.signal });
    await expect(work).rejects.toMatchObject({ code: "cancelled" });
    expect(fetched).toEqual([]);
  });

  it("removes what has expired from a folder into which it keeps a page, and nothing else", async () => {
    await cache().through(url, page(url), context);
    const path = await onlyFile();
    const neighbours = [1, 2].map((n) => path.replace(/[0-9a-f]{4}\.json$/, `000${n}.json`));
    for (const neighbour of neighbours) await writeFile(neighbour, "{}");
    const old = new Date(start.getTime() - 8 * day);
    const recent = new Date(start.getTime() - 6 * day);
    await utimes(neighbours[0] ?? "", old, old);
    await utimes(neighbours[1] ?? "", recent, recent);
    await writeFile(path, "{");
    await cache().through(url, page(url), context);
    const left = (await files()).map((name) => join(folder.path, "cache", name)).sort();
    expect(left).toEqual([path, neighbours[1]].sort());
  });
});
