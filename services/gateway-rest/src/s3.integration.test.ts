import { randomUUID } from "node:crypto";
import { createS3Store, type ObjectStore } from "@proofroom/artifacts";
import { openLedger } from "@proofroom/runtime/records";
import { s3ForTests, startTestRedis, type TestRedis } from "@proofroom/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LiveGateway, liveGateway } from "./testing/live-gateway.ts";

const { server, told, isLacking } = await s3ForTests("The gateway on S3", process.env);

afterAll(() => server?.close());

it(`the gateway on S3 ${told}`, () => {
  expect(isLacking).toBe(false);
});

if (server !== null) {
  const prefix = `gateway-${randomUUID()}`;
  let store: ObjectStore;
  let redis: TestRedis;
  let gateway: LiveGateway;

  beforeAll(async () => {
    redis = await startTestRedis();
    store = await createS3Store({ ...server, prefix, forcePathStyle: true });
    gateway = await liveGateway({ store, redisUrl: redis.url });
  });

  afterAll(async () => {
    await gateway.close();
    await redis.close();
    for await (const { key } of store.list("")) await store.delete(key);
    await store.close();
  });

  const ask = (path: string, init: RequestInit = {}) => fetch(`${gateway.url}${path}`, init);
  const json = { "content-type": "application/json" };

  async function create(headers: Record<string, string> = {}): Promise<string> {
    const answer = await ask("/v1/runs", {
      method: "POST",
      headers: { ...json, ...headers },
      body: JSON.stringify({ guideline: "# In a bucket\n", start: false }),
    });
    expect(answer.status).toBe(201);
    return ((await answer.json()) as { run_id: string }).run_id;
  }

  async function put(run: string, name: string, text: string): Promise<void> {
    const answer = await ask(`/v1/runs/${run}/artifacts/${name}`, {
      method: "PUT",
      headers: { "content-type": "text/markdown" },
      body: text,
    });
    expect(answer.status).toBe(200);
  }

  describe("with the artifacts in S3", () => {
    it("a key makes one run, however often it comes", async () => {
      const key = { "idempotency-key": randomUUID() };
      const ids = [await create(key)];
      ids.push(...(await Promise.all(Array.from({ length: 9 }, () => create(key)))));
      expect(new Set(ids).size).toBe(1);
      const { runs } = (await (await ask("/v1/runs")).json()) as { runs: { run_id: string }[] };
      expect(runs.map(({ run_id }) => run_id)).toContain(ids[0]);
    });

    it("an artifact is written, read whole and in part, and not again by who has it", async () => {
      const run = await create();
      await put(run, "article.md", "0123456789");
      const at = `/v1/runs/${run}/artifacts/article.md`;
      const whole = await ask(at);
      expect([whole.status, await whole.text()]).toEqual([200, "0123456789"]);
      const etag = whole.headers.get("etag") ?? "";
      const part = await ask(at, { headers: { range: "bytes=2-4", "if-range": etag } });
      expect([part.status, await part.text(), part.headers.get("content-range")]).toEqual([
        206,
        "234",
        "bytes 2-4/10",
      ]);
      expect((await ask(at, { headers: { "if-none-match": etag } })).status).toBe(304);
      expect((await ask(at, { headers: { range: "bytes=10-" } })).status).toBe(416);
    });

    it("an upload that is larger than a part of one is stored, listed, and cut off above the limit", async () => {
      const run = await create();
      const bytes = Buffer.alloc(9 * 1024 * 1024, "x");
      const upload = (path: string, body: Buffer) =>
        ask(`/v1/runs/${run}/uploads?path=${path}`, {
          method: "POST",
          headers: { "content-type": "application/octet-stream" },
          body,
        });
      const stored = await upload("data/big.txt", bytes);
      expect(stored.status).toBe(201);
      const head = await ask(stored.headers.get("location") ?? "", { method: "HEAD" });
      expect(head.headers.get("content-length")).toBe(String(bytes.length));
      expect((await upload("data/big.txt", bytes)).status).toBe(409);
      const listed = await (await ask(`/v1/runs/${run}/artifacts/.nova/uploads.json`)).json();
      expect(listed).toMatchObject({
        entries: [
          { path: "data/", kind: "folder" },
          { path: "data/big.txt", kind: "file" },
        ],
      });
    });

    it("a link reads the version it was made of, from S3 and without the gateway", async () => {
      const run = await create();
      await put(run, "article.md", "one");
      const made = await ask(`/v1/runs/${run}/links`, {
        method: "POST",
        headers: json,
        body: JSON.stringify({ artifact: "article.md", seconds: 60 }),
      });
      const link = (await made.json()) as { url: string; expires_at: string; version: number };
      expect(link).toMatchObject({ version: 1, media_type: "text/markdown; charset=utf-8", size: 3 });
      expect(Date.parse(link.expires_at)).toBeGreaterThan(Date.now());
      await put(run, "article.md", "two");
      expect(new URL(link.url).origin).toBe(new URL(server.endpoint).origin);
      const answer = await fetch(link.url);
      expect([answer.status, await answer.text()]).toEqual([200, "one"]);
      expect(new URL(link.url).searchParams.get("response-content-disposition")).toBe(
        "attachment; filename*=UTF-8''article.md",
      );
    });

    it("a run is watched to its end, and removed until nothing of it is left", async () => {
      const run = await create();
      const ledger = openLedger(store, run);
      const { n } = await ledger.open("start");
      gateway.events.publish({ run_id: run, type: "run.started" });
      await gateway.events.flush(5_000);
      const watched = await ask(`/v1/runs/${run}/events`);
      await ledger.close({ n, status: "succeeded", at: new Date().toISOString(), reasons: [] });
      gateway.events.publish({ run_id: run, type: "run.finished", status: "succeeded" });
      const told = await watched.text();
      expect([...told.matchAll(/^event: (.+)$/gm)].map(([, type]) => type)).toEqual([
        "run.started",
        "run.finished",
      ]);
      expect((await ask(`/v1/runs/${run}`, { method: "DELETE" })).status).toBe(204);
      const left: string[] = [];
      for await (const { key } of store.list("")) if (key.includes(run)) left.push(key);
      expect(left).toEqual([]);
      expect((await ask(`/v1/runs/${run}`)).status).toBe(404);
    });
  });
}
