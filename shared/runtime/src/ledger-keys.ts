import { authorOf } from "./canonical.ts";

export interface StepRef {
  stepId: string;
  generation: number;
  /** Of a child: the step that fanned it out. */
  parent?: string | undefined;
}

/** Where the records of a run lie, relative to the run's folder. One file per fact, each written once. */
export const ledgerKeys = {
  manifest: ".nova/run.json",
  epochs: ".nova/run/epochs/",
  outcomes: ".nova/run/outcomes/",
  budgets: ".nova/run/budgets/",
  steps: ".nova/ledger/steps/",
  generations: ".nova/ledger/generations/",
  attempts: ".nova/ledger/attempts/",
  children: ".nova/ledger/children/",
  inputs: ".nova/inputs/",
  traceParts: ".nova/trace/",
  trace: ".nova/trace.jsonl",
} as const;

/** Where the store tells which epochs may still be open, so that a sweep need not look at every run there ever was. */
export const movingFolder = "moving/";

/** Where the store tells whose what is. */
export const tenantsFolder = "tenants/";

/** What one tenant has in the store: the marks of its runs, and what else is theirs alone. */
export function ownedFolder(tenant: string): string {
  return `${tenantsFolder}${tenant}/`;
}

/** The mark of a run, by which it is listed. */
export function ownedKey(tenant: string, runId: string): string {
  return `${ownedFolder(tenant)}runs/${runId}`;
}

/** Whose a key is that lies in the folder of a tenant; null for any other. */
export function tenantOfKey(key: string): string | null {
  return /^tenants\/([^/]+)\//.exec(key)?.[1] ?? null;
}

export function movingKey(runId: string, epoch: number): string {
  return `${movingFolder}${runId}/${numbered(epoch)}`;
}

export function numbered(n: number): string {
  return `${String(n).padStart(6, "0")}.json`;
}

/** Where everything about the children of a step lies. */
export function childrenFolder(parent: string): string {
  return `${ledgerKeys.children}${parent}/`;
}

/** Where a step's record lies; children lie apart, so that folding a run reads one record per top-level step. */
export function recordKey(step: StepRef): string {
  const name = `${authorOf(step.stepId, step.generation)}.json`;
  return step.parent === undefined
    ? `${ledgerKeys.steps}${name}`
    : `${childrenFolder(step.parent)}records/${name}`;
}

export function attemptsFolder(step: StepRef): string {
  const name = `${authorOf(step.stepId, step.generation)}/`;
  return step.parent === undefined
    ? `${ledgerKeys.attempts}${name}`
    : `${childrenFolder(step.parent)}attempts/${name}`;
}
