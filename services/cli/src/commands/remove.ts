import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { ObjectStore } from "@proofroom/artifacts";
import { defaultTenant, isProofroomError, ProofroomError } from "@proofroom/contracts";
import { isAtWork, openLedger, removeRun, tenantsListing } from "@proofroom/runtime/records";
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
  const atWork = runs.filter((run) => run.atWork);
  assertNoneAtWork(
    context,
    removal,
    atWork.map(({ runId }) => runId),
  );
  for (const { runId, tenants, readable } of runs) {
    context.signal.throwIfAborted();
    // What has ended is removed without a queue, unless its workers are to be told in any case.
    if (removal.force && readable) await (await import("./send-cancel.ts")).sendStop(context, runId);
    for (const tenant of tenants) await removeRun(store, { tenant, runId });
    await removeFolder(context, runId);
  }
  return showRemoved(context, runIds);
}

interface Removable {
  runId: string;
  /** Whose it is. */
  tenants: readonly string[];
  /** Whether it has been set in motion and has not ended, or a capability that was called alone has not. */
  atWork: boolean;
  /** Whether its records can be read. */
  readable: boolean;
}

/** @throws ProofroomError not_found, conflict where its records are damaged and nobody said that it may go all the same */
async function lookAt(
  { typed }: CommandContext,
  store: ObjectStore,
  { force }: Removal,
  runId: string,
): Promise<Removable> {
  try {
    const state = await openLedger(store, runId).load();
    return { runId, tenants: [state.manifest.tenant], atWork: isAtWork(state), readable: true };
  } catch (cause) {
    const isGone = isProofroomError(cause) && cause.code === "not_found";
    if (isProofroomError(cause) && !isGone) throw cause;
    if (isGone && !(await isLeftOver(store, runId))) throw cause;
    if (force || isGone)
      return { runId, tenants: await ownersOf(store, runId), atWork: false, readable: false };
    throw new ProofroomError({
      code: "conflict",
      message: `The records of ${runId} cannot be read: nobody can tell whether it is at work.`,
      remedy: `${typed(`remove --force ${runId}`)} removes it all the same.`,
      cause,
    });
  }
}

/** Whether anything is there of a run without a manifest: its removal or its making was cut short. */
async function isLeftOver(store: ObjectStore, runId: string): Promise<boolean> {
  for await (const _ of store.list(`runs/${runId}/`)) return true;
  return (await tenantsListing(store, runId)).length > 0;
}

/** In whose lists it is; one that is in none is as good as the default tenant's. */
async function ownersOf(store: ObjectStore, runId: string): Promise<string[]> {
  const tenants = await tenantsListing(store, runId);
  return tenants.length === 0 ? [defaultTenant] : tenants;
}

/** A store in a folder keeps the folders of what was removed from it, and whoever looks there would take them for a run. */
async function removeFolder({ settings }: CommandContext, runId: string): Promise<void> {
  if (settings.store.kind === "file")
    await rm(join(settings.store.folder, "runs", runId), { recursive: true, force: true });
}
