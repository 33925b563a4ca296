import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { ObjectStore } from "@proofroom/artifacts";
import { isProofroomError, ProofroomError } from "@proofroom/contracts";
import { openLedger, removeRun, tenantsListing } from "@proofroom/runtime/records";
import type { ExitCode } from "../output/failure.ts";
import type { CommandContext } from "./context.ts";
import { assertNoneAtWork, parseRunIds, type Removal, showRemoved } from "./removal.ts";

/**
 * Removes runs with everything that is stored of them. All are looked at before the first is gone: a wrong id among them removes
 * none.
 * @throws ProofroomError invalid_input, not_found, conflict where a run is at work and may not be cancelled
 */
export async function removeCommand(context: CommandContext, removal: Removal): Promise<ExitCode> {
  const store = await context.store();
  const runIds = parseRunIds(context, removal);
  const runs = await Promise.all(runIds.map((runId) => lookAt(context, store, removal, runId)));
  const moving = runs.filter(({ moves }) => moves);
  assertNoneAtWork(
    context,
    removal,
    moving.map(({ runId }) => runId),
  );
  for (const { runId, tenants, moves } of runs) {
    context.signal.throwIfAborted();
    // What has ended is removed without a queue.
    if (moves) await (await import("./send-cancel.ts")).sendCancel(context, runId);
    for (const tenant of tenants) await removeRun(store, { tenant, runId });
    await removeFolder(context, runId);
  }
  return showRemoved(context, runIds);
}

interface Removable {
  runId: string;
  /** Whose it is. */
  tenants: readonly string[];
  /** Whether it has been set in motion and has not ended. */
  moves: boolean;
}

/** @throws ProofroomError not_found, conflict where its records are damaged and nobody said that it may go all the same */
async function lookAt(
  { typed }: CommandContext,
  store: ObjectStore,
  { force }: Removal,
  runId: string,
): Promise<Removable> {
  try {
    const { manifest, epoch, outcome } = await openLedger(store, runId).standing();
    return { runId, tenants: [manifest.tenant], moves: epoch !== null && outcome === null };
  } catch (cause) {
    if (isProofroomError(cause)) throw cause;
    if (force) return { runId, tenants: await tenantsListing(store, runId), moves: false };
    throw new ProofroomError({
      code: "conflict",
      message: `The records of ${runId} cannot be read: nobody can tell whether it is at work.`,
      remedy: `${typed(`remove --force ${runId}`)} removes it all the same.`,
      cause,
    });
  }
}

/** A store in a folder keeps the folders of what was removed from it, and whoever looks there would take them for a run. */
async function removeFolder({ settings }: CommandContext, runId: string): Promise<void> {
  if (settings.store.kind === "file")
    await rm(join(settings.store.folder, "runs", runId), { recursive: true, force: true });
}
