import type { LinkOptions, ObjectStore } from "@proofroom/artifacts";
import { isProofroomError, ProofroomError, runIdSchema, runManifestSchema } from "@proofroom/contracts";
import { ledgerKeys, ownedKey, tenantOfKey } from "./ledger-keys.ts";
import { RecentlyUsed } from "./recently-used.ts";

/** Runs whose tenant is remembered. */
const remembered = 10_000;

export interface TenantStores {
  /** The store as one tenant sees it. What belongs to others does not exist in it. */
  of(tenant: string): ObjectStore;
}

/** The folders below which everything belongs to a run: the part after them is its id. */
const ofRuns = /^(?:runs|moving)\/(?<run>[^/]+)\//;

type Cancellable = { signal?: AbortSignal };

/** Of the options of a read or a write, what concerns a question about it. */
function signalIn(options: Cancellable | undefined): Cancellable {
  return options?.signal === undefined ? {} : { signal: options.signal };
}

function missing(): ProofroomError {
  return new ProofroomError({ code: "not_found", message: "There is no such object." });
}

/**
 * The views of a store that each tenant has. A run is the tenant's that its manifest names, or, while it has none
 * yet, the tenant's that made it. Everything else in the store is nobody's, and shows itself to none: a
 * gateway that forgets to ask whose a run is still gives nothing away. A run never changes hands: whose it is is asked once.
 */
export function createTenantStores(store: ObjectStore): TenantStores {
  const owners = new RecentlyUsed<string, string>(remembered);
  const asking = new Map<string, Promise<string | null>>();
  const presign = store.presign?.bind(store);

  /** Whose a run is by its manifest; null where it has none. */
  async function readOwner(runId: string, options: Cancellable): Promise<string | null> {
    try {
      const { body } = await store.get(`runs/${runId}/${ledgerKeys.manifest}`, options);
      const { tenant } = runManifestSchema.parse(JSON.parse(await new Response(body).text()));
      owners.set(runId, tenant);
      return tenant;
    } catch (error) {
      if (isProofroomError(error) && error.code === "not_found") return null;
      throw error;
    }
  }

  /** A request asks for much of a run at once: whose it is is read once for all of that. */
  async function ownerOf(runId: string, options: Cancellable): Promise<string | null> {
    const known = owners.get(runId);
    if (known !== undefined) return known;
    const asked = asking.get(runId);
    // Who began may give up; whoever else waits then asks again for itself.
    if (asked !== undefined) return asked.catch(() => readOwner(runId, options));
    const asks = readOwner(runId, options).finally(() => asking.delete(runId));
    asking.set(runId, asks);
    return asks;
  }

  /** Whether the store holds nothing of a run. */
  async function isUnmade(runId: string, options: Cancellable): Promise<boolean> {
    for await (const { key } of store.list(`runs/${runId}/`, options)) return key === "";
    return true;
  }

  function viewOf(tenant: string): ObjectStore {
    async function isVisible(key: string, options: Cancellable): Promise<boolean> {
      const marked = tenantOfKey(key);
      if (marked !== null) return marked === tenant;
      const runId = ofRuns.exec(key)?.groups?.["run"] ?? "";
      return runIdSchema.safeParse(runId).success && (await ownerOf(runId, options)) === tenant;
    }

    async function visible<T>(
      key: string,
      options: Cancellable | undefined,
      then: () => Promise<T>,
    ): Promise<T> {
      if (!(await isVisible(key, signalIn(options)))) throw missing();
      return then();
    }

    /** The mark comes before anything else of a run, and makes it the tenant's. Of one that has begun it makes nothing. */
    async function noteMaker(key: string, options: Cancellable): Promise<void> {
      const { success, data: runId = "" } = runIdSchema.safeParse(key.slice(ownedKey(tenant, "").length));
      if (!success || key !== ownedKey(tenant, runId)) return;
      if ((await ownerOf(runId, options)) === null && (await isUnmade(runId, options)))
        owners.set(runId, tenant);
    }

    return {
      async create(key, body, options) {
        await noteMaker(key, signalIn(options));
        return visible(key, options, () => store.create(key, body, options));
      },
      replace: (key, body, etag, options) =>
        visible(key, options, () => store.replace(key, body, etag, options)),
      get: (key, options) => visible(key, options, () => store.get(key, options)),
      head: async (key, options) =>
        (await isVisible(key, signalIn(options))) ? store.head(key, options) : null,
      async *list(prefix, options) {
        if (await isVisible(prefix, signalIn(options))) yield* store.list(prefix, options);
      },
      delete: async (key, options) => {
        if (await isVisible(key, signalIn(options))) await store.delete(key, options);
      },
      ...(presign === undefined
        ? {}
        : {
            presign: (key: string, options: LinkOptions) =>
              visible(key, undefined, () => presign(key, options)),
          }),
      close: async () => undefined,
    };
  }

  return { of: viewOf };
}
