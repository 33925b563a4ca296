import type { ObjectStore } from "@proofroom/artifacts";
import { ledgerKeys, movingFolder, numbered } from "./ledger-keys.ts";

/**
 * Ids of the runs that have been set in motion and have not ended, oldest first: what a sweep looks at. It lists the
 * marks that opening an epoch leaves, not the runs, and removes the mark of an epoch whose outcome stands; that
 * is final, so two may do it at once.
 */
export async function* listMovingRuns(store: ObjectStore, signal?: AbortSignal): AsyncGenerator<string> {
  const options = signal === undefined ? {} : { signal };
  let last = "";
  for await (const { key } of store.list(movingFolder, options)) {
    const match = /^(run_[0-9A-HJKMNP-TV-Z]{26})\/(\d{6})\.json$/.exec(key.slice(movingFolder.length));
    const runId = match?.[1];
    if (runId === undefined) continue;
    const base = `runs/${runId}/`;
    const outcome = await store.head(`${base}${ledgerKeys.outcomes}${numbered(Number(match?.[2]))}`, options);
    const isGone = outcome === null && (await store.head(base + ledgerKeys.manifest, options)) === null;
    if (outcome !== null || isGone) await store.delete(key, options);
    else if (runId !== last) {
      last = runId;
      yield runId;
    }
  }
}
