import { createHash } from "node:crypto";
import { ProofroomError } from "@proofroom/contracts";
import { hasCode } from "./failures.ts";
import type { ObjectInfo, ObjectStore } from "./store.ts";

/** Objects that are read whole into memory may be this large, in bytes. */
const wholeLimit = 64 * 1024 * 1024;

interface ReadOptions {
  signal?: AbortSignal | undefined;
}

/**
 * Reads an object whole, with its facts.
 * @throws ProofroomError not_found, or too_large above 64 MB
 */
async function readWithInfo(
  store: ObjectStore,
  key: string,
  options: ReadOptions,
): Promise<{ info: ObjectInfo; bytes: Uint8Array }> {
  const found = await store.get(key, options.signal === undefined ? {} : { signal: options.signal });
  if (found.info.size > wholeLimit) {
    await found.body.cancel();
    throw new ProofroomError({ code: "too_large", message: "The object is too large to be read whole." });
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of found.body) chunks.push(chunk);
  return { info: found.info, bytes: Buffer.concat(chunks) };
}

/**
 * Reads an object whole.
 * @throws ProofroomError not_found, or too_large above 64 MB
 */
export async function readObject(
  store: ObjectStore,
  key: string,
  options: ReadOptions = {},
): Promise<Uint8Array> {
  return (await readWithInfo(store, key, options)).bytes;
}

/** As `readWithInfo`, or null where there is no such object. */
export async function tryReadWithInfo(
  store: ObjectStore,
  key: string,
  options: ReadOptions = {},
): Promise<{ info: ObjectInfo; bytes: Uint8Array } | null> {
  try {
    return await readWithInfo(store, key, options);
  } catch (error) {
    if (hasCode(error, "not_found")) return null;
    throw error;
  }
}

/** As `readObject`, or null where there is no such object. */
export async function tryReadObject(
  store: ObjectStore,
  key: string,
  options: ReadOptions = {},
): Promise<Uint8Array | null> {
  return (await tryReadWithInfo(store, key, options))?.bytes ?? null;
}

export function sha256Of(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
