import { isProofroomError } from "@proofroom/contracts";
import type { ObjectStore } from "../store.ts";

/** Adds one to the number in the object, as every writer of a shared object must: read, replace, or start again. */
export async function increment(store: ObjectStore, key: string): Promise<void> {
  for (;;) {
    const { info, body } = await store.get(key);
    const text = await new Response(body).text();
    try {
      await store.replace(key, String(Number(text) + 1), info.etag);
      return;
    } catch (error) {
      if (!isProofroomError(error) || error.code !== "conflict") throw error;
    }
  }
}
