import { isProofroomError } from "@proofroom/contracts";
import { bytesAttribute, storeSpan, type Tracing } from "@proofroom/telemetry";
import { hasCode } from "./failures.ts";
import type { Body, ObjectStore } from "./store.ts";

/** The content of a version of an artifact, by its run and its name. */
const content = /^runs\/[^/]+\/\.nova\/history\/(?<name>.+)\/[0-9a-f]{16}(?:\.[^/.]+)?$/;

function sizeOf(body: Body): number | undefined {
  if (typeof body === "string") return Buffer.byteLength(body);
  return body instanceof Uint8Array ? body.byteLength : undefined;
}

/**
 * The same store, of whose work the reading and writing of artifacts is told, inside whatever is at work: by name and
 * size. Of the records of runs, of which there are many more and which say nothing by themselves, nothing is.
 */
export function traceStore(store: ObjectStore, tracing: Tracing): ObjectStore {
  const nameOf = (key: string) =>
    tracing.active() === null ? undefined : content.exec(key)?.groups?.["name"];

  return {
    async create(key, body, options) {
      const name = nameOf(key);
      if (name === undefined) return store.create(key, body, options);
      const span = tracing.open(storeSpan("put", name, key));
      try {
        span.set({ [bytesAttribute]: sizeOf(body) });
        return await span.run(() => store.create(key, body, options));
      } catch (error) {
        // The same content stands there already.
        if (!hasCode(error, "conflict")) span.fail(isProofroomError(error) ? error.code : "internal");
        throw error;
      } finally {
        span.end();
      }
    },
    async get(key, options) {
      const name = nameOf(key);
      if (name === undefined) return store.get(key, options);
      return tracing.span(storeSpan("get", name, key), async (span) => {
        const found = await store.get(key, options);
        span.set({ [bytesAttribute]: found.info.size });
        return found;
      });
    },
    replace: (key, body, etag, options) => store.replace(key, body, etag, options),
    head: (key, options) => store.head(key, options),
    list: (prefix, options) => store.list(prefix, options),
    delete: (key, options) => store.delete(key, options),
    ...(store.presign === undefined ? {} : { presign: store.presign.bind(store) }),
    ...(store.tryWriting === undefined ? {} : { tryWriting: store.tryWriting.bind(store) }),
    close: () => store.close(),
  };
}
