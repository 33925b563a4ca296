import { jobCancelled } from "../cancelled.ts";
import { openLedger } from "../ledger.ts";
import { openSteps } from "./at-work.ts";
import { cancelRun } from "./cancel-run.ts";

/**
 * Cancels whatever is at work for a run, and tells the workers in any case: the run, and, where that has ended, the capabilities
 * that were called alone, for which no epoch is open. What a run needs before it is removed.
 * @throws ProofroomError not_found, dependency_down
 */
export async function stopAll(deps: Parameters<typeof cancelRun>[0], runId: string): Promise<void> {
  await cancelRun(deps, runId);
  const ledger = openLedger(deps.store, runId);
  const state = await ledger.load();
  // The workers have been told with that.
  if (state.outcome?.status === "cancelled") return;
  await Promise.all(openSteps(state).map((step) => ledger.giveUp(step, jobCancelled)));
  await deps.bus.cancel(runId);
}
