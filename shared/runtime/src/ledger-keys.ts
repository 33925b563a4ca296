import { authorOf } from "./canonical.ts";

/** Where the records of a run lie, relative to the run's folder. One file per fact, each written once. */
export const ledgerKeys = {
  manifest: ".nova/run.json",
  epochs: ".nova/run/epochs/",
  outcomes: ".nova/run/outcomes/",
  steps: ".nova/ledger/steps/",
  generations: ".nova/ledger/generations/",
  attempts: ".nova/ledger/attempts/",
  inputs: ".nova/inputs/",
} as const;

export function numbered(n: number): string {
  return `${String(n).padStart(6, "0")}.json`;
}

/** Where a step's record lies; children lie apart, so that folding a run reads one record per top-level step. */
export function recordKey(step: { stepId: string; generation: number; parent?: string | undefined }): string {
  const name = `${authorOf(step.stepId, step.generation)}.json`;
  return step.parent === undefined
    ? `${ledgerKeys.steps}${name}`
    : `.nova/ledger/children/${step.parent}/records/${name}`;
}

export function attemptsFolder(step: {
  stepId: string;
  generation: number;
  parent?: string | undefined;
}): string {
  const name = `${authorOf(step.stepId, step.generation)}/`;
  return step.parent === undefined
    ? `${ledgerKeys.attempts}${name}`
    : `.nova/ledger/children/${step.parent}/attempts/${name}`;
}
