import { expect } from "vitest";
import type { ObjectStore } from "../store.ts";

export const megabyte = 1024 * 1024;

/** Bytes that differ from place to place, so that a part that is lost or out of order is seen. */
export function patterned(size: number, seed = 0): Uint8Array {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at + 4 <= size; at += 4) bytes.writeUInt32LE((at * 2_654_435_761 + seed) >>> 0, at);
  return bytes;
}

/** A stream of the bytes in pieces of odd size, as a network gives them. */
export function streamOf(bytes: Uint8Array, piece = 65_521): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (at >= bytes.byteLength) return controller.close();
        controller.enqueue(bytes.subarray(at, at + piece));
        at += piece;
      },
    },
    { highWaterMark: 0 },
  );
}

/** A stream that gives the bytes and then nothing more, for ever; `cancelled` tells that it was let go. */
export function stalledStream(bytes: Uint8Array): {
  stream: ReadableStream<Uint8Array>;
  stalled: Promise<void>;
  cancelled: Promise<void>;
} {
  const stalled = Promise.withResolvers<void>();
  const cancelled = Promise.withResolvers<void>();
  let given = false;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (!given) {
          given = true;
          controller.enqueue(bytes);
          return undefined;
        }
        stalled.resolve();
        return new Promise<void>(() => undefined);
      },
      cancel: () => cancelled.resolve(),
    },
    { highWaterMark: 0 },
  );
  return { stream, stalled: stalled.promise, cancelled: cancelled.promise };
}

export async function textOf(store: ObjectStore, key: string): Promise<string> {
  return Buffer.from(await collect((await store.get(key)).body)).toString("utf8");
}

export async function collect(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export async function keysOf(store: ObjectStore, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const info of store.list(prefix)) keys.push(info.key);
  return keys;
}

/** Expects the work to fail with a ProofroomError of this code. */
export async function expectFailure(work: Promise<unknown>, code: string): Promise<void> {
  await expect(work).rejects.toMatchObject({ name: "ProofroomError", code });
}

/** How many of the works succeeded; all others must have failed with this code. */
export async function winners(works: Promise<unknown>[], code: string): Promise<number[]> {
  const results = await Promise.allSettled(works);
  const won: number[] = [];
  for (const [index, result] of results.entries()) {
    if (result.status === "fulfilled") won.push(index);
    else expect(result.reason).toMatchObject({ name: "ProofroomError", code });
  }
  return won;
}
