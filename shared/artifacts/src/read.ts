import { createHash } from "node:crypto";
import { ProofroomError } from "@proofroom/contracts";
import type { ObjectStore } from "./store.ts";

/** Objects that are read whole into memory may be this large, in bytes. */
const wholeLimit = 64 * 1024 * 1024;

/**
 * Reads an object whole.
 * @throws ProofroomError not_found, or too_large above 64 MB
 */
export async function readObject(
  store: ObjectStore,
  key: string,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<Uint8Array> {
  const found = await store.get(key, options.signal === undefined ? {} : { signal: options.signal });
  if (found.info.size > wholeLimit) {
    await found.body.cancel();
    throw new ProofroomError({ code: "too_large", message: "The object is too large to be read whole." });
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of found.body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** As `readObject`, or null where there is no such object. */
export async function tryReadObject(
  store: ObjectStore,
  key: string,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<Uint8Array | null> {
  try {
    return await readObject(store, key, options);
  } catch (error) {
    if (error instanceof Error && (error as { code?: unknown }).code === "not_found") return null;
    throw error;
  }
}

export function sha256Of(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
