import { ProofroomError } from "@proofroom/contracts";
import { expect, it } from "vitest";
import { sha256Of } from "../read.ts";
import type { ObjectStore } from "../store.ts";
import {
  collect,
  expectFailure,
  keysOf,
  megabyte,
  patterned,
  stalledStream,
  streamOf,
  textOf,
} from "./bytes.ts";

/** What holds of content on its way in and out. @param sizes of streamed objects, in bytes */
export function transferSuite(store: () => ObjectStore, sizes: readonly number[]): void {
  for (const size of sizes) {
    it(`streams ${size / megabyte} MB in and out, by create and by replace`, async () => {
      const key = `transfers/large-${size}.bin`;
      const first = patterned(size);
      const created = await store().create(key, streamOf(first), { sha256: sha256Of(first) });
      expect(created.size).toBe(size);
      const out = await store().get(key);
      expect(out.info).toMatchObject({ size, etag: created.etag });
      const pieces: Uint8Array[] = [];
      for await (const piece of out.body) pieces.push(piece);
      expect(pieces.length).toBeGreaterThan(1);
      expect(sha256Of(Buffer.concat(pieces))).toBe(sha256Of(first));

      const second = patterned(size, 1);
      await store().replace(key, streamOf(second), created.etag);
      expect(sha256Of(await collect((await store().get(key)).body))).toBe(sha256Of(second));
    }, 30_000);

    it(`keeps nothing of ${size / megabyte} MB whose sha256 is not the one announced`, async () => {
      const key = `transfers/wrong-${size}.bin`;
      const work = store().create(key, streamOf(patterned(size)), { sha256: sha256Of("other") });
      await expectFailure(work, "invalid_input");
      expect(await keysOf(store(), key)).toEqual([]);
    }, 30_000);

    it(`keeps nothing of ${size / megabyte} MB that are aborted on the way`, async () => {
      const key = `transfers/aborted-${size}.bin`;
      const { stream, stalled, cancelled } = stalledStream(patterned(size));
      const abort = new AbortController();
      const work = store().create(key, stream, { signal: abort.signal });
      await stalled;
      abort.abort();
      await expectFailure(work, "cancelled");
      await cancelled;
      expect(await keysOf(store(), key)).toEqual([]);
    }, 30_000);
  }

  it("refuses bytes whose sha256 is not the one announced, and keeps what was there", async () => {
    const wrong = { sha256: sha256Of("other") };
    await expectFailure(store().create("transfers/wrong.txt", "text", wrong), "invalid_input");
    expect(await store().head("transfers/wrong.txt")).toBeNull();
    const { etag } = await store().create("transfers/right.txt", "text", { sha256: sha256Of("text") });
    await expectFailure(store().replace("transfers/right.txt", "next", etag, wrong), "invalid_input");
    expect(await textOf(store(), "transfers/right.txt")).toBe("text");
  });

  it("keeps empty objects", async () => {
    for (const [name, body] of [
      ["text", ""],
      ["stream", streamOf(new Uint8Array())],
    ] as const) {
      const info = await store().create(`transfers/empty-${name}`, body, { sha256: sha256Of("") });
      expect(info.size).toBe(0);
      expect(await textOf(store(), info.key)).toBe("");
      const ranged = await store().get(info.key, { range: { start: 0 } });
      expect(await collect(ranged.body)).toHaveLength(0);
    }
  });

  it("gives ranges, cut at the end of the object, and refuses those outside", async () => {
    const key = "transfers/range.txt";
    await store().create(key, "0123456789");
    const range = async (start: number, end?: number) => {
      const found = await store().get(key, { range: end === undefined ? { start } : { start, end } });
      expect(found.info.size).toBe(10);
      return Buffer.from(await collect(found.body)).toString("utf8");
    };
    expect(await range(4)).toBe("456789");
    expect(await range(2, 5)).toBe("2345");
    expect(await range(0, 0)).toBe("0");
    expect(await range(7, 5000)).toBe("789");
    expect(await range(9)).toBe("9");
    await expectFailure(range(10), "invalid_input");
    await expectFailure(range(5000, 6000), "invalid_input");
    await expectFailure(range(-1), "invalid_input");
    await expectFailure(range(5, 4), "invalid_input");
    await expectFailure(range(0.5), "invalid_input");
  });

  it("fails with what the body fails with, and keeps nothing", async () => {
    const failing = () =>
      new ReadableStream<Uint8Array>({
        pull: () =>
          Promise.reject(new ProofroomError({ code: "too_large", message: "The page is too large." })),
      });
    await expectFailure(store().create("transfers/failing.txt", failing()), "too_large");
    expect(await store().head("transfers/failing.txt")).toBeNull();
  });

  it("ends a read with the signal, as cancelled", async () => {
    const size = Math.max(...sizes);
    await store().create("transfers/read.bin", patterned(size));
    const abort = new AbortController();
    const { body } = await store().get("transfers/read.bin", { signal: abort.signal });
    const reader = body.getReader();
    await reader.read();
    abort.abort();
    const rest = async () => {
      while (!(await reader.read()).done);
    };
    await expectFailure(rest(), "cancelled");
  });

  it("starts nothing with a signal that is aborted already", async () => {
    const signal = AbortSignal.abort();
    await store().create("transfers/there.txt", "text");
    await expectFailure(store().create("transfers/never.txt", "text", { signal }), "cancelled");
    await expectFailure(
      store().create("transfers/never.txt", stalledStream(Buffer.from("text")).stream, { signal }),
      "cancelled",
    );
    await expectFailure(store().get("transfers/there.txt", { signal }), "cancelled");
    const listing = async () => {
      for await (const info of store().list("transfers/", { signal })) expect(info).toBeUndefined();
    };
    await expectFailure(listing(), "cancelled");
    expect(await store().head("transfers/never.txt")).toBeNull();
  });

  it("lets a body be cancelled unread", async () => {
    await store().create("transfers/unread.bin", patterned(megabyte));
    for (let n = 0; n < 60; n += 1) await (await store().get("transfers/unread.bin")).body.cancel();
    expect((await store().head("transfers/unread.bin"))?.size).toBe(megabyte);
  });
}
