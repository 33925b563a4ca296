import type { ObjectStore } from "@proofroom/artifacts";
import { isProofroomError, type ProofroomError } from "@proofroom/contracts";

export interface WatchedStore {
  readonly store: ObjectStore;
  /** Rejects when the store cannot take anything any more: then not even a failure can be recorded. */
  readonly broken: Promise<never>;
}

function isBroken(error: unknown): error is ProofroomError {
  return isProofroomError(error) && error.code === "dependency_down" && error.disposition.kind === "fail";
}

/** The same store, which tells when a write fails for a reason that trying again will not mend: a full disk. */
export function watchStore(store: ObjectStore): WatchedStore {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);

  async function watched<T>(write: Promise<T>): Promise<T> {
    try {
      return await write;
    } catch (error) {
      if (isBroken(error)) reject(error);
      throw error;
    }
  }

  return {
    broken: promise,
    store: {
      create: (key, body, options) => watched(store.create(key, body, options)),
      replace: (key, body, etag, options) => watched(store.replace(key, body, etag, options)),
      get: (key, options) => store.get(key, options),
      head: (key, options) => store.head(key, options),
      list: (prefix, options) => store.list(prefix, options),
      delete: (key, options) => store.delete(key, options),
      close: () => store.close(),
    },
  };
}
