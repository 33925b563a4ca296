import { mapSite, type SitePages } from "@proofroom/contracts";
import { describe, expect, test } from "vitest";
import { FakeStepContext } from "../../capabilities/fake-step-context.ts";
import { HandedPages, handedPage } from "./handed-pages.ts";

const site = ".nova/sites/map_site.json";
const url = "https://x.dev/guide/a";
const fetched = (size: number) => ({
  bytes: Buffer.alloc(size, "a"),
  finalUrl: `${url}/`,
  contentType: "text/html; charset=utf-8",
  fileName: "a.html",
});

async function mapped(pages: Record<string, number>) {
  const context = new FakeStepContext(mapSite);
  const handed = new HandedPages(context, () => new Date("2026-03-01T12:00:00Z"));
  for (const [page, size] of Object.entries(pages)) await handed.keep(page, fetched(size));
  const map: SitePages = {
    v: 1,
    ref: "https://x.dev/guide/*",
    method: "http",
    pages: Object.keys(pages),
    more: false,
    forbidden: 0,
    refused: [],
    generation: 1,
    fetched: handed.all,
  };
  await context.artifacts.writeJson(site, map);
  return context.artifacts;
}

describe("the pages that the map of a site has fetched", () => {
  test("are there as they were had, with their time", async () => {
    const artifacts = await mapped({ [url]: 10, "https://x.dev/guide/b": 20 });
    expect(await handedPage(artifacts, { url, site, generation: 1 })).toEqual({
      ...fetched(10),
      retrievedAt: "2026-03-01T12:00:00.000Z",
    });
    expect(await handedPage(artifacts, { url: "https://x.dev/guide/c", site, generation: 1 })).toBeNull();
  });

  test("are fetched anew where something is tried again", async () => {
    const artifacts = await mapped({ [url]: 10 });
    expect(await handedPage(artifacts, { url, site, generation: 2 })).toBeNull();
  });

  test("are kept up to 64 MB of one site, and what is beyond is left to be fetched", async () => {
    const mb = 1024 * 1024;
    const artifacts = await mapped({ one: 40 * mb, two: 30 * mb, three: 24 * mb });
    const had = ["one", "two", "three"].map((page) =>
      handedPage(artifacts, { url: page, site, generation: 1 }),
    );
    expect((await Promise.all(had)).map((page) => page?.bytes.byteLength)).toEqual([
      40 * mb,
      undefined,
      24 * mb,
    ]);
  });
});
