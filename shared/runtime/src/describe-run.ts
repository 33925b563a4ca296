import { type ObjectStore, openRunArtifacts } from "@proofroom/artifacts";
import type { Outcome, PublicError, RunManifest, RunStatus } from "@proofroom/contracts";
import { isStale, loadSuccessors } from "./freshness.ts";
import { openLedger, type StepState } from "./ledger.ts";

export interface StepDescription {
  step: string;
  capability: string;
  generation: number;
  state: "done" | "stale" | "failed" | "unfinished";
  input?: Record<string, unknown>;
  attempts: number;
  finished_at?: string;
  output?: Record<string, unknown>;
  error?: PublicError;
}

export interface RunDescription {
  run_id: string;
  title: string;
  created_at: string;
  status: RunStatus;
  article: "approved" | "draft" | null;
  reasons: string[];
  error: PublicError | null;
  failed_step: string | null;
  steps: StepDescription[];
}

function statusOf(outcome: Outcome | null, moving: boolean): RunStatus {
  return outcome?.status ?? (moving ? "running" : "queued");
}

/** When a step came to an end, or after all others where it has not: the order in which people read them. */
function order(step: StepState): string {
  return step.record?.finished_at ?? "~";
}

function summary(
  manifest: RunManifest,
  outcome: Outcome | null,
  moving: boolean,
): Omit<RunDescription, "steps"> {
  return {
    run_id: manifest.run_id,
    title: manifest.title,
    created_at: manifest.created_at,
    status: statusOf(outcome, moving),
    article: outcome?.article ?? null,
    reasons: outcome?.reasons ?? [],
    error: outcome?.error ?? null,
    failed_step: outcome?.step ?? null,
  };
}

/** What a person wants to know of a run, from the store alone. */
export async function describeRun(store: ObjectStore, runId: string): Promise<RunDescription> {
  const ledger = openLedger(store, runId);
  const state = await ledger.load();
  const steps = [...state.steps.values()].sort((a, b) => (order(a) < order(b) ? -1 : 1));
  const records = steps.flatMap(({ record }) => (record === null ? [] : [record]));
  const successors = await loadSuccessors(openRunArtifacts(store, runId), records);
  const described: StepDescription[] = [];
  for (const step of steps) {
    const attempts = await ledger.attempts({ stepId: step.stepId, generation: step.generation });
    const { record, failure } = step;
    const stale = record !== null && isStale(record, successors, () => "after");
    described.push({
      step: step.stepId,
      capability: record?.capability ?? step.stepId.replace(/-[0-9a-f]{16}$/, ""),
      generation: step.generation,
      state: record === null ? (failure === null ? "unfinished" : "failed") : stale ? "stale" : "done",
      attempts: attempts.filter(({ event }) => event === "started").length,
      ...(record === null ? {} : { finished_at: record.finished_at, output: record.output }),
      ...(record?.input === undefined ? {} : { input: record.input }),
      ...(failure === null ? {} : { error: failure }),
    });
  }
  return { ...summary(state.manifest, state.outcome, state.epoch !== null), steps: described };
}

/** The same without the steps: what a list shows. */
export async function summariseRun(
  store: ObjectStore,
  runId: string,
): Promise<Omit<RunDescription, "steps">> {
  const { manifest, outcome, epoch } = await openLedger(store, runId).standing();
  return summary(manifest, outcome, epoch !== null);
}
