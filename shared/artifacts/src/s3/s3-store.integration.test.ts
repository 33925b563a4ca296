import { randomUUID } from "node:crypto";
import { ListMultipartUploadsCommand, S3Client } from "@aws-sdk/client-s3";
import { eventually, s3ForTests, type TestS3 } from "@proofroom/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sha256Of } from "../read.ts";
import type { ObjectStore } from "../store.ts";
import {
  expectFailure,
  keysOf,
  megabyte,
  patterned,
  stalledStream,
  streamOf,
  textOf,
} from "../testing/bytes.ts";
import { runArtifactsSuite } from "../testing/run-artifacts-suite.ts";
import { storeConformance } from "../testing/store-conformance.ts";
import { partSize } from "./conditional-put.ts";
import { createS3Store } from "./s3-store.ts";

const { server, told, isLacking } = await s3ForTests("The store on S3", process.env);
// moto looks and then writes, with time between for others: it stands in for S3 as far as one writer goes.
const races = server?.name !== "moto";

afterAll(() => server?.close());

it(`the store on S3 ${told}${races ? "" : ", without the tests of concurrent writers"}`, () => {
  expect(isLacking).toBe(false);
});

function open(s3: TestS3, prefix: string) {
  return createS3Store({ ...s3, prefix, forcePathStyle: true });
}

async function clean(s3: TestS3, prefix: string): Promise<void> {
  const store = await open(s3, prefix);
  const keys = await keysOf(store, "");
  await Promise.all(keys.map((key) => store.delete(key)));
  await store.close();
}

async function expectNoUploads(s3: TestS3, prefix: string): Promise<void> {
  const client = new S3Client({ ...s3, forcePathStyle: true });
  const { Uploads = [] } = await client.send(
    new ListMultipartUploadsCommand({ Bucket: s3.bucket, Prefix: prefix }),
  );
  client.destroy();
  expect(Uploads).toEqual([]);
}

if (server !== null) {
  const prefix = `test-${randomUUID()}`;
  let runs = 0;
  let store: ObjectStore;

  beforeAll(async () => {
    store = await open(server, `${prefix}/other`);
  });
  afterAll(async () => {
    await store.close();
    await clean(server, `${prefix}/other`);
  });

  describe("conformance", () => {
    storeConformance({
      open: () => open(server, `${prefix}/store`),
      clean: () => clean(server, `${prefix}/store`),
      sizes: [5 * megabyte, 2 * partSize + megabyte],
      races,
    });
  });

  describe("artifacts of a run", () => {
    runArtifactsSuite(() => store, {
      races,
      nextRun: () => {
        runs += 1;
        return `run_${runs}`;
      },
    });
  });

  it("leaves no parts of an upload that was aborted, that failed, or that lost", async () => {
    const large = patterned(2 * partSize + megabyte);
    const { stream, stalled } = stalledStream(large);
    const abort = new AbortController();
    const work = store.create("parts/aborted.bin", stream, { signal: abort.signal });
    await stalled;
    abort.abort();
    await expectFailure(work, "cancelled");
    const wrong = { sha256: sha256Of("other") };
    await expectFailure(store.create("parts/wrong.bin", streamOf(large), wrong), "invalid_input");
    await Promise.allSettled([1, 2].map(() => store.create("parts/race.bin", streamOf(large))));
    await expectNoUploads(server, `${prefix}/other/parts/`);
  });

  it("tells apart what else lies in the bucket", async () => {
    const other = await open(server, `${prefix}/other/nested`);
    await other.create("a.txt", "nested");
    await store.create("a.txt", "outer");
    expect(await keysOf(other, "")).toEqual(["a.txt"]);
    expect(await textOf(other, "a.txt")).toBe("nested");
    await other.close();
  });

  it("says that there is no such bucket, also where the server would make it", async () => {
    const lost = await open({ ...server, bucket: "proofroom-no-such-bucket" }, "");
    await expectFailure(lost.create("a.txt", "text"), "not_configured");
    await expectFailure(lost.get("a.txt"), "not_configured");
    await expectFailure(lost.head("a.txt"), "not_configured");
    await expectFailure(keysOf(lost, ""), "not_configured");
    await lost.close();
  });

  if (server.name !== "moto") {
    it("makes links that read one object for a time, as a file and never as a page", async () => {
      const options = { seconds: 60, mediaType: "text/html; charset=utf-8", name: "L'été (1).html" };
      await store.create("links/page.html", "<script>");
      await store.create("links/other.html", "other");
      const before = Date.now();
      const { url, expires } = await (store.presign?.("links/page.html", options) ?? Promise.reject());
      expect(expires.getTime()).toBeGreaterThan(before + 58_000);
      expect(expires.getTime()).toBeLessThanOrEqual(Date.now() + 60_000);
      const answer = await fetch(url);
      expect([answer.status, await answer.text()]).toEqual([200, "<script>"]);
      expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(answer.headers.get("content-disposition")).toBe(
        "attachment; filename*=UTF-8''L%27%C3%A9t%C3%A9%20%281%29.html",
      );
      expect((await fetch(url, { headers: { range: "bytes=1-3" } })).status).toBe(206);
      for (const changed of [
        url.replace("page.html", "other.html"),
        url.replace("attachment", "inline"),
        url.replace("Expires=60", "Expires=600"),
      ]) {
        expect(changed).not.toBe(url);
        expect((await fetch(changed)).status).toBe(403);
      }
      expect((await fetch(url, { method: "DELETE" })).status).toBe(403);
      const short = await (store.presign?.("links/page.html", { ...options, seconds: 1 }) ??
        Promise.reject());
      await eventually(async () => (await fetch(short.url)).status === 403);
    });

    it("says that the credentials are wrong", async () => {
      const { accessKeyId, secretAccessKey } = server.credentials;
      for (const credentials of [
        { accessKeyId, secretAccessKey: `${secretAccessKey}x` },
        { accessKeyId: "nobody", secretAccessKey },
      ]) {
        const refused = await open({ ...server, credentials }, prefix);
        const failure = { code: "dependency_down", message: expect.stringContaining("credentials") };
        await expect(refused.create("a.txt", "text")).rejects.toMatchObject(failure);
        await expect(refused.get("a.txt")).rejects.toMatchObject(failure);
        await expect(refused.head("a.txt")).rejects.toMatchObject(failure);
        await expect(keysOf(refused, "")).rejects.toMatchObject(failure);
        await refused.close();
      }
    });
  }
}
