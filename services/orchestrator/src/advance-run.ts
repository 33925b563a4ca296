import { type ObjectStore, openRunArtifacts } from "@proofroom/artifacts";
import type { advance, InputOf, Outcome } from "@proofroom/contracts";
import { type ControlDeps, submitStep, traceRunEnd } from "@proofroom/runtime";
import { type LedgerState, loadSuccessors, openLedger } from "@proofroom/runtime/records";
import { noTracing } from "@proofroom/telemetry";
import { type Plan, planRun } from "./plan.ts";

/** Plans from what the ledger holds at this moment. */
async function planNow(store: ObjectStore, runId: string): Promise<{ state: LedgerState; plan: Plan }> {
  const state = await openLedger(store, runId).load();
  const records = [...state.steps.values()].flatMap(({ record }) => (record === null ? [] : [record]));
  const successors = await loadSuccessors(openRunArtifacts(store, runId), records);
  return { state, plan: planRun(state, successors) };
}

/** Whether a run that has ended would go on if it were set in motion: something was asked for as it ended. */
async function endedTooSoon(store: ObjectStore, runId: string): Promise<boolean> {
  const outcome = await openLedger(store, runId).outcome();
  if (outcome === null || outcome.status === "cancelled") return false;
  return (await planNow(store, runId)).plan.kind === "steps";
}

/**
 * Looks at the ledger of a run and submits what is missing, or records how the run ended. It may run at any
 * time, in any process, any number of times at once: ids are deterministic and the first outcome stands.
 */
export async function advanceRun(
  deps: ControlDeps,
  runId: string,
  { reopen }: InputOf<typeof advance> = {},
): Promise<void> {
  const ledger = openLedger(deps.store, runId);
  if ((await ledger.outcome()) !== null) {
    if (reopen === undefined || !(await endedTooSoon(deps.store, runId))) return;
    await ledger.open(reopen, deps.tracing?.active()?.traceparent);
  }
  const { state, plan } = await planNow(deps.store, runId);
  if (state.epoch === null || state.outcome !== null) return;
  const { epoch } = state;
  const { tracing = noTracing } = deps;
  const inTrace = <T>(work: () => Promise<T>) => tracing.within(epoch.traceparent, { run: runId }, work);
  if (plan.kind === "steps") {
    for (const step of plan.steps) {
      if (step.renews) await ledger.requestGeneration(step.stepId, step.generation, "stale");
      // Whoever sets a run in motion may have given what its steps wait for.
      await inTrace(() => submitStep(deps, runId, step, { now: reopen !== undefined }));
    }
    return;
  }
  const { outcome } = plan;
  const common = { n: epoch.n, at: new Date().toISOString() };
  const ending: Outcome =
    outcome.status === "succeeded" ? { ...common, ...outcome } : { ...common, ...outcome, reasons: [] };
  const stands = await ledger.close(ending);
  // Of several that find the end at once, one tells of it.
  const isOurs = stands === ending;
  if (isOurs) traceRunEnd(tracing, state.manifest, epoch, stands);
  if (await endedTooSoon(deps.store, runId)) {
    // A resume or retry that came between planning and closing found this epoch open, and relies on it.
    await ledger.open("resume", epoch.traceparent);
    return advanceRun(deps, runId);
  }
  if (!isOurs) return;
  deps.events.publish({
    run_id: runId,
    type: "run.finished",
    status: stands.status,
    ...(stands.error === undefined ? {} : { error: stands.error }),
    ...(stands.article === undefined ? {} : { message: stands.article }),
  });
}
