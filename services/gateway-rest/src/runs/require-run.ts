import type { ObjectStore } from "@proofroom/artifacts";
import { isProofroomError, ProofroomError, type RunManifest, runIdSchema } from "@proofroom/contracts";
import { openLedger } from "@proofroom/runtime/records";

/**
 * What a run was created with.
 * @throws ProofroomError not_found, in the same words for what is no id and for what is nobody's
 */
export async function requireRun(store: ObjectStore, runId: string): Promise<RunManifest> {
  if (!runIdSchema.safeParse(runId).success) throw noSuchRun();
  try {
    return await openLedger(store, runId).manifest();
  } catch (error) {
    if (isProofroomError(error) && error.code === "not_found") throw noSuchRun();
    throw error;
  }
}

/** Whether a run that has been there still is. */
export async function isThere(store: ObjectStore, runId: string): Promise<boolean> {
  try {
    await requireRun(store, runId);
    return true;
  } catch (error) {
    if (isProofroomError(error) && error.code === "not_found") return false;
    throw error;
  }
}

function noSuchRun(): ProofroomError {
  return new ProofroomError({ code: "not_found", message: "There is no such run." });
}
