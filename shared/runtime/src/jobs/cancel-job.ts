import type { CancelBus } from "@proofroom/queue";
import { cancelWord } from "../cancellations.ts";
import { jobCancelled } from "../cancelled.ts";
import type { ControlDeps } from "../control/request-advance.ts";
import { openLedger } from "../ledger.ts";
import { describeJob } from "./describe-job.ts";
import type { JobRef } from "./job-ref.ts";

/**
 * Ends one job as cancelled and aborts what is under way for it; the rest of its run goes on. Answers false where it
 * had ended already. Calling the capability again makes a new generation. In a run that the orchestrator
 * moves, the step counts as failed.
 * @throws ProofroomError dependency_down where the workers cannot be told; none begins the job any more all the same
 */
export async function cancelJob(
  deps: Pick<ControlDeps, "store" | "events"> & { bus: Pick<CancelBus, "cancel"> },
  job: JobRef,
): Promise<boolean> {
  const { status } = await describeJob(deps.store, job);
  // The workers may not have been told, if the queue was away then.
  if (status === "cancelled") await deps.bus.cancel(cancelWord(job.runId, job));
  if (status !== "queued" && status !== "running") return false;
  const ledger = openLedger(deps.store, job.runId);
  if (!(await ledger.giveUp(job, jobCancelled))) return false;
  await deps.bus.cancel(cancelWord(job.runId, job));
  deps.events.publish({ run_id: job.runId, step: job.stepId, type: "step.failed", error: jobCancelled });
  return true;
}
