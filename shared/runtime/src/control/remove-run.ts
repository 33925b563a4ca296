import type { ObjectStore } from "@proofroom/artifacts";
import { movingFolder, ownedKey } from "../ledger-keys.ts";

/** Removes every object below a prefix. */
async function removeAll(store: ObjectStore, prefix: string): Promise<void> {
  for await (const { key } of store.list(prefix)) await store.delete(key);
}

/**
 * Removes everything that is stored of a run that does not move. What says that it exists and has ended goes last, so that one
 * whose removal was cut short is still there to be removed, and no sweep takes it for one that moves.
 */
export async function removeRun(store: ObjectStore, run: { tenant: string; runId: string }): Promise<void> {
  const { tenant, runId } = run;
  const base = `runs/${runId}/`;
  await removeAll(store, `${movingFolder}${runId}/`);
  for await (const { key } of store.list(base)) {
    if (!key.startsWith(`${base}.nova/run`)) await store.delete(key);
  }
  await removeAll(store, `${base}.nova/run/`);
  await removeAll(store, base);
  await store.delete(ownedKey(tenant, runId));
}
