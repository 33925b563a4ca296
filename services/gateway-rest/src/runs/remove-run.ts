import type { ObjectStore } from "@proofroom/artifacts";

/** Removes every object below a prefix. */
export async function removeAll(store: ObjectStore, prefix: string): Promise<void> {
  for await (const { key } of store.list(prefix)) await store.delete(key);
}

/**
 * Removes a run that does not move. What says that it exists and has ended goes last, so that one whose removal was
 * cut short is still there to be removed, and no sweep takes it for one that moves.
 */
export async function removeRun(store: ObjectStore, runId: string): Promise<void> {
  const base = `runs/${runId}/`;
  await removeAll(store, `moving/${runId}/`);
  for await (const { key } of store.list(base)) {
    if (!key.startsWith(`${base}.nova/run`)) await store.delete(key);
  }
  await removeAll(store, `${base}.nova/run/`);
  await removeAll(store, base);
}
