import type { CancelBus } from "@proofroom/queue";
import { openLedger } from "../ledger.ts";
import { traceRunEnd } from "../traces/run-ended.ts";
import type { ControlDeps } from "./request-advance.ts";

/**
 * Ends a run as cancelled and aborts what is under way for it. Answers false where it had ended already.
 * Finished steps stay finished: the run can be resumed.
 */
export async function cancelRun(
  deps: Pick<ControlDeps, "store" | "events" | "tracing"> & { bus: Pick<CancelBus, "cancel"> },
  runId: string,
): Promise<boolean> {
  const ledger = openLedger(deps.store, runId);
  const state = await ledger.load();
  // The workers may not have been told, if the queue was away then.
  if (state.outcome?.status === "cancelled") await deps.bus.cancel(runId);
  if (state.outcome !== null) return false;
  const epoch = state.epoch ?? (await ledger.open("start"));
  const stands = await ledger.close({
    n: epoch.n,
    status: "cancelled",
    at: new Date().toISOString(),
    reasons: [],
  });
  if (stands.status !== "cancelled") return false;
  traceRunEnd(deps.tracing, state.manifest, epoch, stands);
  await deps.bus.cancel(runId);
  deps.events.publish({ run_id: runId, type: "run.finished", status: "cancelled" });
  return true;
}
