import type { ObjectStore } from "@proofroom/artifacts";
import { defaultTenant, isProofroomError, runIdSchema } from "@proofroom/contracts";
import { type RunSummary, summariseRun } from "./describe-run.ts";
import { openLedger } from "./ledger.ts";
import { ledgerKeys, ownedFolder, ownedKey, tenantOfKey, tenantsFolder } from "./ledger-keys.ts";

/** Runs are looked at this many at a time. */
const atOnce = 16;

interface ListOptions {
  /** Whose runs; everybody's where nothing is said. */
  tenant?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Ids of the runs there are, newest first, from their marks alone: one that was removed meanwhile may be among them. */
export async function listRunIds(store: ObjectStore, { tenant, signal }: ListOptions): Promise<string[]> {
  const prefix = tenant === undefined ? tenantsFolder : `${ownedFolder(tenant)}runs/`;
  const ids: string[] = [];
  for await (const { key } of store.list(prefix, signal === undefined ? {} : { signal })) {
    const id = runIdSchema.safeParse(/^tenants\/[^/]+\/runs\/([^/]+)$/.exec(key)?.[1]);
    if (id.success) ids.push(id.data);
  }
  return ids.sort().reverse();
}

export interface RunPage {
  /** Newest first. */
  runs: RunSummary[];
  /** What to give as `before` for the next page; null on the last. */
  next: string | null;
  /** Runs whose records are damaged. */
  unreadable: string[];
}

/** A page of the list of runs. */
export async function pageOfRuns(
  store: ObjectStore,
  options: ListOptions & { before?: string | undefined; limit?: number | undefined },
): Promise<RunPage> {
  const { before, limit = Number.POSITIVE_INFINITY } = options;
  const ids = (await listRunIds(store, options)).filter((id) => before === undefined || id < before);
  const shown = ids.slice(0, limit);
  const page: RunPage = {
    runs: [],
    next: ids.length > shown.length ? (shown.at(-1) ?? null) : null,
    unreadable: [],
  };

  async function look(id: string): Promise<RunPage["runs"][number] | null> {
    try {
      return await summariseRun(store, id);
    } catch (error) {
      if (isProofroomError(error) && error.code !== "not_found") throw error;
      if (!isProofroomError(error)) page.unreadable.push(id);
      return null;
    }
  }

  for (let from = 0; from < shown.length; from += atOnce) {
    options.signal?.throwIfAborted();
    const found = await Promise.all(shown.slice(from, from + atOnce).map(look));
    page.runs.push(...found.filter((run) => run !== null));
  }
  return page;
}

/** The tenants in whose lists a run is; of one that can be read the one that its manifest names. */
export async function tenantsListing(store: ObjectStore, runId: string): Promise<string[]> {
  const tenants: string[] = [];
  for await (const { key } of store.list(tenantsFolder)) {
    const tenant = tenantOfKey(key);
    if (tenant !== null && key === ownedKey(tenant, runId)) tenants.push(tenant);
  }
  return tenants;
}

/** Tells that every run of the store has its mark. No tenant can have this name. */
const indexedKey = `${tenantsFolder}_indexed`;

async function mark(store: ObjectStore, key: string): Promise<void> {
  try {
    await store.create(key, "");
  } catch (error) {
    if (!isProofroomError(error) || error.code !== "conflict") throw error;
  }
}

/** Whose an unmarked run is; null where it is gone. One whose manifest is damaged is shown, as that, to the default tenant. */
async function ownerOf(store: ObjectStore, runId: string): Promise<string | null> {
  try {
    return (await openLedger(store, runId).manifest()).tenant;
  } catch (error) {
    if (!isProofroomError(error)) return defaultTenant;
    if (error.code === "not_found") return null;
    throw error;
  }
}

/** Whether it is a store that runs were indexed in: an empty folder, where a disk was not mounted, is none. */
export async function isIndexed(store: ObjectStore): Promise<boolean> {
  return (await store.head(indexedKey)) !== null;
}

/** Gives their marks to the runs of a store that was filled before runs had any. Later calls ask one question. */
export async function indexRuns(store: ObjectStore, signal?: AbortSignal): Promise<void> {
  const options = signal === undefined ? {} : { signal };
  if ((await store.head(indexedKey, options)) !== null) return;
  for await (const { key } of store.list("runs/", options)) {
    const [, id = "", name] = /^runs\/([^/]+)\/(.+)$/.exec(key) ?? [];
    if (name !== ledgerKeys.manifest || !runIdSchema.safeParse(id).success) continue;
    const owner = await ownerOf(store, id);
    if (owner !== null) await mark(store, ownedKey(owner, id));
  }
  await mark(store, indexedKey);
}
