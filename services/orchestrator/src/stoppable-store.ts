import type { ObjectStore } from "@proofroom/artifacts";

/** The same store, whose work ends when the signal aborts. It is the caller's who has the other. */
export function stoppable(store: ObjectStore, signal: AbortSignal): ObjectStore {
  const until = (own: AbortSignal | undefined) => ({
    signal: own === undefined ? signal : AbortSignal.any([own, signal]),
  });
  return {
    create: (key, body, options) => store.create(key, body, { ...options, ...until(options?.signal) }),
    replace: (key, body, etag, options) =>
      store.replace(key, body, etag, { ...options, ...until(options?.signal) }),
    get: (key, options) => store.get(key, { ...options, ...until(options?.signal) }),
    head: (key, options) => store.head(key, until(options?.signal)),
    list: (prefix, options) => store.list(prefix, until(options?.signal)),
    delete: (key, options) => store.delete(key, until(options?.signal)),
    close: () => store.close(),
  };
}
