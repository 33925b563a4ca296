import type { LedgerState, StepState } from "../ledger.ts";

/** Steps that were asked for or begun and have not ended: of a run that has ended, capabilities that were called alone. */
export function openSteps({ outcome, steps }: Pick<LedgerState, "outcome" | "steps">): StepState[] {
  // None of them goes on.
  if (outcome?.status === "cancelled") return [];
  return [...steps.values()].filter(({ record, failure }) => record === null && failure === null);
}

/** Whether anything may be at work for a run: it moves, or a job of it has not ended. */
export function isAtWork(state: LedgerState): boolean {
  return (state.epoch !== null && state.outcome === null) || openSteps(state).length > 0;
}
