import { costOfRun, type ObjectStore, openRunArtifacts, type Tallies } from "@proofroom/artifacts";
import type { Outcome, PublicError, RunCost, RunManifest, RunStatus } from "@proofroom/contracts";
import { isStale, loadSuccessors } from "./freshness.ts";
import { type Ledger, openLedger, type StepState } from "./ledger.ts";
import { waitingUntil } from "./waiting.ts";

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

/** What a list shows of a run. */
export interface RunSummary {
  run_id: string;
  title: string;
  created_at: string;
  status: RunStatus;
  /** When a run goes on that waits for models to have quota again. */
  waiting_until: string | null;
  article: "approved" | "draft" | null;
  reasons: string[];
  error: PublicError | null;
  failed_step: string | null;
}

export interface RunDescription extends RunSummary {
  steps: StepDescription[];
  /** What models and searches have cost, and how many pages were fetched; null where nobody was asked. */
  cost: RunCost | null;
}

/** When a step came to an end, or after all others where it has not: the order in which people read them. */
function order({ record, stepId }: StepState): string {
  return `${record?.finished_at ?? "~"} ${stepId}`;
}

function summary(
  manifest: RunManifest,
  outcome: Outcome | null,
  going: Pick<RunSummary, "status" | "waiting_until">,
): RunSummary {
  return {
    run_id: manifest.run_id,
    title: manifest.title,
    created_at: manifest.created_at,
    status: outcome?.status ?? going.status,
    waiting_until: going.waiting_until,
    article: outcome?.article ?? null,
    reasons: outcome?.reasons ?? [],
    error: outcome?.error ?? null,
    failed_step: outcome?.step ?? null,
  };
}

const still = { status: "queued", waiting_until: null } as const;

/** How a run goes that has been set in motion and has not ended. */
async function motionOf(
  ledger: Ledger,
  steps: ReadonlyMap<string, StepState>,
): Promise<Pick<RunSummary, "status" | "waiting_until">> {
  const until = await waitingUntil(ledger, steps, Date.now());
  return { status: until === null ? "running" : "waiting_quota", waiting_until: until };
}

/**
 * What a person wants to know of a run, from the store alone.
 * @param tallies what its calls are known to have taken, where runs are asked about again and again
 */
export async function describeRun(
  store: ObjectStore,
  runId: string,
  tallies?: Tallies,
): Promise<RunDescription> {
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
  const moves = state.epoch !== null && state.outcome === null;
  const going = moves ? await motionOf(ledger, state.steps) : still;
  const cost = await costOfRun(store, runId, tallies);
  return { ...summary(state.manifest, state.outcome, going), steps: described, cost };
}

/** The same without the steps and the cost: what a list shows. */
export async function summariseRun(store: ObjectStore, runId: string): Promise<RunSummary> {
  const ledger = openLedger(store, runId);
  const { manifest, outcome, epoch } = await ledger.standing();
  const moves = epoch !== null && outcome === null;
  const going = moves ? await motionOf(ledger, (await ledger.load()).steps) : still;
  return summary(manifest, outcome, going);
}
