import { type ObjectStore, sha256Of } from "@proofroom/artifacts";
import { isProofroomError, type Source } from "@proofroom/contracts";
import { makeSource } from "@proofroom/evidence";
import type { Logger } from "@proofroom/telemetry";
import { type PageMaking, pageIdentity, readCachedPage, writeCachedPage } from "./cached-page.ts";
import { sharedAddress } from "./shared-address.ts";

/** What fetches a page where no other run has done so of late. */
export interface PageCache {
  /**
   * The page that another run has fetched, else what `fetch` makes of the address; that is kept for others. With
   * `isAnew` the cache is not asked for it: what `fetch` makes takes its place. Faults of the cache are logged and cost a
   * fetch, nothing else.
   * @throws what `fetch` throws, or the signal's reason
   */
  through(
    url: string,
    fetch: () => Promise<Source>,
    context: { signal: AbortSignal; log: Logger; isAnew?: boolean },
  ): Promise<Source>;
}

export interface PageCacheOptions extends PageMaking {
  store: ObjectStore;
  now: () => Date;
  /** Milliseconds since a page was fetched. */
  maxAgeMs: number;
  /** Private addresses that may be fetched, as `host:port`: what they give is nobody else's business. */
  allowHosts: ReadonlySet<string>;
}

const folder = "cache/pages/";
/** Bytes. */
const largest = 16 * 1024 * 1024;
/** Of the neighbours that have expired, so many are removed at a time. */
const mostRemoved = 100;

/** Each page is fetched anew. */
export const withoutPageCache: PageCache = { through: (_url, fetch) => fetch() };

/**
 * A cache of public pages in the store, which all runs on it share: one file per page. Only what was had is kept, never a
 * failure. What has expired is replaced when it is asked for again, and removed when a page is kept in the same folder,
 * of which there are 256.
 */
export function openPageCache(options: PageCacheOptions): PageCache {
  const { store, allowHosts, maxAgeMs, now } = options;

  function isFresh(time: number): boolean {
    return Math.abs(now().getTime() - time) < maxAgeMs;
  }

  async function find(key: string, address: string, signal: AbortSignal): Promise<Source | null> {
    const { info, body } = await store.get(key, { signal });
    if (info.size > largest) {
      await body.cancel();
      return null;
    }
    const source = readCachedPage(await new Response(body).text(), address, options);
    return isFresh(Date.parse(source.provenance.retrieved_at ?? "")) ? source : null;
  }

  async function keep(key: string, text: string, signal: AbortSignal): Promise<void> {
    const put = { mediaType: "application/json", signal };
    try {
      await store.create(key, text, put);
    } catch (error) {
      if (!isProofroomError(error) || error.code !== "conflict") throw error;
      const there = await store.head(key, { signal });
      if (there !== null) await store.replace(key, text, there.etag, put);
    }
  }

  async function removeExpired(neighbours: string, signal: AbortSignal): Promise<void> {
    let removed = 0;
    for await (const { key, modified } of store.list(neighbours, { signal })) {
      if (modified.getTime() > now().getTime() - maxAgeMs) continue;
      await store.delete(key, { signal });
      removed += 1;
      if (removed === mostRemoved) return;
    }
  }

  return {
    async through(url, fetch, { signal, log, isAnew = false }) {
      const address = sharedAddress(url, allowHosts);
      if (address === null) return fetch();
      const name = sha256Of(pageIdentity(address, options));
      const neighbours = `${folder}${name.slice(0, 2)}/`;
      const key = `${neighbours}${name}.json`;

      async function attempt<T>(work: Promise<T>): Promise<T | null> {
        try {
          return await work;
        } catch (error) {
          signal.throwIfAborted();
          const code = isProofroomError(error) ? error.code : "internal";
          // Not there, or another worker was quicker.
          if (code !== "not_found" && code !== "conflict") log.warn({ code }, "the cache of pages failed");
          return null;
        }
      }

      const found = isAnew ? null : await attempt(find(key, address, signal));
      if (found !== null) return asCached(found, url);
      const source = await fetch();
      // What came another way than it should would stand in for that for a week.
      const { note, final_url: finalUrl = url } = source.provenance;
      if (note !== undefined || sharedAddress(finalUrl, allowHosts) === null) return source;
      const text = writeCachedPage(address, options, source);
      if (Buffer.byteLength(text) > largest) return source;
      await attempt(keep(key, text, signal).then(() => removeExpired(neighbours, signal)));
      return source;
    },
  };
}

/** Under the reference by which it is asked for now. */
function asCached({ v: _v, sha256: _sha256, ...parts }: Source, ref: string): Source {
  return makeSource({ ...parts, ref, provenance: { ...parts.provenance, from_cache: true } });
}
