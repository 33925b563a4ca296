import type { ObjectStore } from "@proofroom/artifacts";
import { isProofroomError, ProofroomError, runIdSchema, runManifestSchema } from "@proofroom/contracts";
import { ledgerKeys, ownedKey, tenantOfKey } from "./ledger-keys.ts";

/** Runs whose tenant is remembered. */
const remembered = 10_000;

export interface TenantStores {
  /** The store as one tenant sees it. What belongs to others does not exist in it. */
  of(tenant: string): ObjectStore;
}

/** The folders below which everything belongs to a run: the part after them is its id. */
const ofRuns = /^(?:runs|moving)\/(?<run>[^/]+)\//;

function missing(): ProofroomError {
  return new ProofroomError({ code: "not_found", message: "There is no such object." });
}

/**
 * The views of a store that each tenant has. A run is the tenant's that its manifest names, or, while it has none
 * yet, the tenant's that made it. Everything else in the store is nobody's, and shows itself to none: a
 * gateway that forgets to ask whose a run is still gives nothing away.
 */
export function createTenantStores(store: ObjectStore): TenantStores {
  const owners = new Map<string, string>();
  const views = new Map<string, ObjectStore>();

  function remember(runId: string, tenant: string): void {
    const oldest = owners.keys().next();
    if (owners.size >= remembered && oldest.done === false) owners.delete(oldest.value);
    owners.set(runId, tenant);
  }

  async function ownerOf(runId: string): Promise<string | null> {
    const known = owners.get(runId);
    if (known !== undefined) return known;
    try {
      const { body } = await store.get(`runs/${runId}/${ledgerKeys.manifest}`);
      const { tenant } = runManifestSchema.parse(JSON.parse(await new Response(body).text()));
      remember(runId, tenant);
      return tenant;
    } catch (error) {
      if (isProofroomError(error) && error.code === "not_found") return null;
      throw error;
    }
  }

  function viewOf(tenant: string): ObjectStore {
    async function isVisible(key: string): Promise<boolean> {
      const marked = tenantOfKey(key);
      if (marked !== null) return marked === tenant;
      const runId = ofRuns.exec(key)?.groups?.["run"] ?? "";
      return runIdSchema.safeParse(runId).success && (await ownerOf(runId)) === tenant;
    }

    async function visible<T>(key: string, then: () => Promise<T>): Promise<T> {
      if (!(await isVisible(key))) throw missing();
      return then();
    }

    return {
      async create(key, body, options) {
        const runId = runIdSchema.safeParse(key.slice(ownedKey(tenant, "").length));
        const isMark = runId.success && key === ownedKey(tenant, runId.data);
        // The mark comes before anything else of a run, and makes it this tenant's.
        if (isMark && (await ownerOf(runId.data)) === null) remember(runId.data, tenant);
        return visible(key, () => store.create(key, body, options));
      },
      replace: (key, body, etag, options) => visible(key, () => store.replace(key, body, etag, options)),
      get: (key, options) => visible(key, () => store.get(key, options)),
      head: async (key, options) => ((await isVisible(key)) ? store.head(key, options) : null),
      async *list(prefix, options) {
        if (await isVisible(prefix)) yield* store.list(prefix, options);
      },
      delete: async (key, options) => {
        if (await isVisible(key)) await store.delete(key, options);
      },
      close: async () => undefined,
    };
  }

  return {
    of(tenant) {
      const view = views.get(tenant) ?? viewOf(tenant);
      views.set(tenant, view);
      return view;
    },
  };
}
