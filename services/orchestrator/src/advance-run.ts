import { type ObjectStore, openRunArtifacts } from "@proofroom/artifacts";
import type { EventLog, Producer } from "@proofroom/queue";
import { type LedgerState, loadSuccessors, openLedger, submitStep } from "@proofroom/runtime";
import { planRun } from "./plan.ts";

export interface OrchestratorDeps {
  store: ObjectStore;
  producer: Producer;
  events: EventLog;
}

async function planOf(deps: OrchestratorDeps, state: LedgerState) {
  const records = [...state.steps.values()].flatMap(({ record }) => (record === null ? [] : [record]));
  const successors = await loadSuccessors(openRunArtifacts(deps.store, state.manifest.run_id), records);
  return planRun(state, successors);
}

/**
 * Looks at the ledger of a run and submits what is missing, or records how the run ended. It may run at any
 * time, in any process, any number of times at once: ids are deterministic and the first outcome stands.
 */
export async function advanceRun(deps: OrchestratorDeps, runId: string): Promise<void> {
  const ledger = openLedger(deps.store, runId);
  const state = await ledger.load();
  if (state.epoch === null || state.outcome !== null) return;
  const plan = await planOf(deps, state);
  if (plan.kind === "steps") {
    for (const step of plan.steps) {
      if (step.renews) await ledger.requestGeneration(step.stepId, step.generation, "stale");
      await submitStep(deps, runId, step);
    }
    return;
  }
  const { outcome } = plan;
  const common = { n: state.epoch.n, at: new Date().toISOString() };
  const stands = await ledger.close(
    outcome.status === "failed" ? { ...common, ...outcome, reasons: [] } : { ...common, ...outcome },
  );
  deps.events.publish({
    run_id: runId,
    type: "run.finished",
    status: stands.status,
    ...(stands.error === undefined ? {} : { error: stands.error }),
    ...(stands.article === undefined ? {} : { message: stands.article }),
  });
}
