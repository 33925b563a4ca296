import { type ObjectStore, openRunArtifacts } from "@proofroom/artifacts";
import type { advance, Epoch, InputOf, Outcome } from "@proofroom/contracts";
import { type ControlDeps, submitStep, traceRunEnd } from "@proofroom/runtime";
import { type LedgerState, loadSuccessors, openLedger } from "@proofroom/runtime/records";
import { noTracing } from "@proofroom/telemetry";
import { type Plan, type PlannedOutcome, planRun } from "./plan.ts";
import { stoppable } from "./stoppable-store.ts";

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
 * @throws ProofroomError cancelled where the signal aborts: somebody else is to look at the run again
 */
export async function advanceRun(
  deps: ControlDeps,
  runId: string,
  input: InputOf<typeof advance>,
  signal: AbortSignal,
): Promise<void> {
  const store = stoppable(deps.store, signal);
  const ledger = openLedger(store, runId);
  if ((await ledger.outcome()) !== null) {
    if (input.reopen === undefined || !(await endedTooSoon(store, runId))) return;
    await ledger.open(input.reopen, deps.tracing?.active()?.traceparent);
  }
  const { state, plan } = await planNow(store, runId);
  if (state.epoch === null || state.outcome !== null) return;
  if (plan.kind === "outcome") {
    signal.throwIfAborted();
    // From here on it is not stopped: whoever writes the outcome also tells of it.
    if (await end(deps, runId, { ...state, epoch: state.epoch }, plan.outcome)) return;
    return advanceRun(deps, runId, {}, signal);
  }
  const { tracing = noTracing } = deps;
  for (const step of plan.steps) {
    signal.throwIfAborted();
    if (step.renews) await ledger.requestGeneration(step.stepId, step.generation, "stale");
    // Whoever sets a run in motion may have given what its steps wait for.
    const how = { now: input.reopen !== undefined };
    await tracing.within(state.epoch.traceparent, { run: runId }, () =>
      submitStep({ ...deps, store }, runId, step, how),
    );
  }
}

/** Records how a run ended and tells of it. False where it goes on: something was asked for as it ended. */
async function end(
  { store, tracing = noTracing, events }: ControlDeps,
  runId: string,
  { manifest, epoch }: Pick<LedgerState, "manifest"> & { epoch: Epoch },
  outcome: PlannedOutcome,
): Promise<boolean> {
  const ledger = openLedger(store, runId);
  const common = { n: epoch.n, at: new Date().toISOString() };
  const ending: Outcome =
    outcome.status === "succeeded" ? { ...common, ...outcome } : { ...common, ...outcome, reasons: [] };
  const stands = await ledger.close(ending);
  // Of several that find the end at once, one tells of it.
  const isOurs = stands === ending;
  if (isOurs) traceRunEnd(tracing, manifest, epoch, stands);
  if (await endedTooSoon(store, runId)) {
    // A resume or retry that came between planning and closing found this epoch open, and relies on it.
    await ledger.open("resume", epoch.traceparent);
    return false;
  }
  if (!isOurs) return true;
  events.publish({
    run_id: runId,
    type: "run.finished",
    status: stands.status,
    ...(stands.error === undefined ? {} : { error: stands.error }),
    ...(stands.article === undefined ? {} : { message: stands.article }),
  });
  return true;
}
