import type { ObjectStore } from "@proofroom/artifacts";
import { ledgerKeys, movingFolder, ownedKey } from "../ledger-keys.ts";

/** Removes every object below a prefix; answers how many there were. */
async function removeAll(store: ObjectStore, prefix: string): Promise<number> {
  let removed = 0;
  for await (const { key } of store.list(prefix)) {
    await store.delete(key);
    removed += 1;
  }
  return removed;
}

/**
 * Removes everything that is stored of a run that does not move. What says that it exists and has ended goes last, so that one
 * whose removal was cut short is still there to be removed, and no sweep takes it for one that moves. The manifest goes before
 * the outcomes: a worker that has not ended finds its run cancelled until then, and removed from then on. What such a one wrote
 * between its question and its write is found by looking again.
 */
export async function removeRun(store: ObjectStore, run: { tenant: string; runId: string }): Promise<void> {
  const { tenant, runId } = run;
  const base = `runs/${runId}/`;
  await removeAll(store, `${movingFolder}${runId}/`);
  for await (const { key } of store.list(base)) {
    if (!key.startsWith(`${base}.nova/run`)) await store.delete(key);
  }
  await store.delete(base + ledgerKeys.manifest);
  while ((await removeAll(store, base)) > 0);
  await store.delete(ownedKey(tenant, runId));
}
