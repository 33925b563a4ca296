import type { Body, ObjectInfo, ObjectStore } from "@proofroom/artifacts";
import { ProofroomError } from "@proofroom/contracts";

/** A store in memory that counts how often it was asked for an object: thousands of runs are made in it in no time. */
export function createMemoryStore(): ObjectStore & { asked: number } {
  const objects = new Map<string, { info: ObjectInfo; bytes: Uint8Array }>();
  let written = 0;

  async function put(key: string, body: Body): Promise<ObjectInfo> {
    written += 1;
    const bytes =
      body instanceof ReadableStream
        ? Buffer.concat(await Array.fromAsync(body))
        : typeof body === "string"
          ? Buffer.from(body)
          : body;
    const info = { key, size: bytes.length, etag: String(written), modified: new Date() };
    objects.set(key, { info, bytes });
    return info;
  }

  function failed(code: "conflict" | "not_found"): ProofroomError {
    return new ProofroomError({ code, message: code });
  }

  return {
    asked: 0,
    async create(key, body) {
      if (objects.has(key)) throw failed("conflict");
      return put(key, body);
    },
    async replace(key, body, etag) {
      if (objects.get(key)?.info.etag !== etag) throw failed("conflict");
      return put(key, body);
    },
    async get(key) {
      this.asked += 1;
      const found = objects.get(key);
      if (found === undefined) throw failed("not_found");
      return { info: found.info, body: ReadableStream.from([found.bytes]) };
    },
    async head(key) {
      this.asked += 1;
      return objects.get(key)?.info ?? null;
    },
    async *list(prefix) {
      this.asked += 1;
      const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).sort();
      for (const key of keys) {
        const info = objects.get(key)?.info;
        if (info !== undefined) yield info;
      }
    },
    async delete(key) {
      objects.delete(key);
    },
    close: async () => undefined,
  };
}
