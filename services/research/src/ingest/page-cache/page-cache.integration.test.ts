import { randomUUID } from "node:crypto";
import { createFsStore, createS3Store, type ObjectStore } from "@proofroom/artifacts";
import { ingestWebPage, sourceSchema } from "@proofroom/contracts";
import { silentLogger } from "@proofroom/telemetry";
import {
  makeTempFolder,
  s3ForTests,
  type TempFolder,
  uncountedCalls,
  withoutModels,
} from "@proofroom/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FakeStepContext } from "../../capabilities/fake-step-context.ts";
import { testSource } from "../../capabilities/test-source.ts";
import { waitByClock } from "../../search/wait.ts";
import { openParsePool } from "../parsing/parse-pool.ts";
import { createIngestWebPage } from "../web/handler.ts";
import { createHostTurns } from "../web/host-turns.ts";
import { type LoopbackServer, startLoopback } from "../web/loopback-server.ts";
import { openPageCache, type PageCache, withoutPageCache } from "./page-cache.ts";

const day = 86_400_000;
const start = Date.parse("2026-03-01T12:00:00Z");
const words = "A client that repeats a failed request at once makes an outage worse, so it waits. ".repeat(5);

function openCache(store: ObjectStore, now: () => Date): PageCache {
  return openPageCache({ store, now, maxAgeMs: 7 * day, allowHosts: new Set(), means: "http" });
}

describe("runs that read the same page", () => {
  let server: LoopbackServer;
  let folder: TempFolder;
  let requests = 0;
  let status = 200;
  const parsing = openParsePool();

  beforeAll(async () => {
    folder = await makeTempFolder();
    server = await startLoopback({
      "/page": (_request, response) => {
        requests += 1;
        response.writeHead(status, { "content-type": "text/html" });
        response.end(`<title>Waits</title><main><h1>Waits</h1><p>${words}</p></main>`);
      },
    });
  });

  afterAll(() => Promise.all([server.close(), parsing.close(), folder.close()]));

  /** What a run has of the page after so many days, and how many requests that took. */
  async function run(days: number, open: (now: () => Date) => PageCache) {
    const before = requests;
    const now = () => new Date(start + days * day);
    const context = new FakeStepContext(ingestWebPage);
    const { allowHosts } = server;
    const hosts = createHostTurns({ now, wait: waitByClock });
    const deps = { allowHosts, parsing, models: withoutModels, calls: uncountedCalls, now, hosts };
    const handler = createIngestWebPage({ ...deps, pageCache: open(now) });
    const { artifact } = await handler({ url: `${server.base}/page` }, context);
    const source = sourceSchema.parse(JSON.parse(context.stored.get(artifact) ?? ""));
    return { source, asked: requests - before };
  }

  it("ask for it once a week, and have the same text", async () => {
    const store = createFsStore({ root: folder.path });
    const open = (now: () => Date) => openCache(store, now);
    status = 503;
    await expect(run(0, open)).rejects.toMatchObject({ code: "unreachable" });
    status = 200;
    const [first, second, third] = [await run(0, open), await run(6, open), await run(8, open)];
    expect([first.asked, second.asked, third.asked]).toEqual([1, 0, 1]);
    expect([second.source.sha256, third.source.sha256]).toEqual([first.source.sha256, first.source.sha256]);
    expect(second.source.provenance).toEqual({ ...first.source.provenance, from_cache: true });
    expect(third.source.provenance.retrieved_at).toBe(new Date(start + 8 * day).toISOString());
  });

  it("ask each for itself where there is no cache", async () => {
    const asked = [await run(0, () => withoutPageCache), await run(0, () => withoutPageCache)];
    expect(asked.map((one) => one.asked)).toEqual([1, 1]);
  });
});

const { server: s3, told, isLacking } = await s3ForTests("The cache of pages on S3", process.env);
afterAll(() => s3?.close());

it(`the cache of pages on S3 ${told}`, () => {
  expect(isLacking).toBe(false);
});

describe.skipIf(s3 === null)("the cache of pages on S3", () => {
  it("creates an entry, gives it to others, and replaces it when it has expired", async () => {
    if (s3 === null) throw new Error("no server");
    const store = await createS3Store({ ...s3, prefix: `pages-${randomUUID()}`, forcePathStyle: true });
    const url = "https://x.dev/a";
    const context = { signal: new AbortController().signal, log: silentLogger() };
    const read = (days: number, text: string) => {
      const now = new Date(start + days * day);
      return openCache(store, () => now).through(
        url,
        async () => {
          const source = testSource(url, text);
          return { ...source, provenance: { ...source.provenance, retrieved_at: now.toISOString() } };
        },
        context,
      );
    };
    try {
      const texts = [
        await read(0, "one"),
        await read(1, "two"),
        await read(8, "three"),
        await read(9, "four"),
      ];
      expect(texts.map(({ text }) => text)).toEqual(["one", "one", "three", "three"]);
      const keys = await Array.fromAsync(store.list(""));
      expect(keys.map(({ key }) => key)).toEqual([
        expect.stringMatching(/^cache\/pages\/([0-9a-f]{2})\/\1[0-9a-f]{62}\.json$/),
      ]);
      await store.delete(keys[0]?.key ?? "");
    } finally {
      await store.close();
    }
  });
});
