import { openRunArtifacts } from "@proofroom/artifacts";
import {
  type Epoch,
  gatherOutputSchema,
  ProofroomError,
  type RunBudget,
  type StepRecord,
} from "@proofroom/contracts";
import { noTracing, runStartSpan } from "@proofroom/telemetry";
import { ulid } from "ulid";
import { type Ledger, type LedgerState, openLedger } from "../ledger.ts";
import { setBudget } from "../model-facts.ts";
import { type ControlDeps, requestAdvance } from "./request-advance.ts";

/**
 * Opens an epoch and does what sets the run in motion, as part of the trace of that epoch: the one of this span, or where the
 * run moved already the one that it had. A trace that was before is linked.
 */
async function inEpoch(
  { tracing = noTracing }: ControlDeps,
  ledger: Ledger,
  reason: Epoch["reason"],
  work: () => Promise<void>,
): Promise<void> {
  const { runId } = ledger;
  await tracing.span(runStartSpan(reason, runId), async (span) => {
    const { epoch: before } = await ledger.standing();
    const epoch = await ledger.open(reason, span.traceparent || undefined);
    const other = epoch.traceparent === span.traceparent ? before?.traceparent : epoch.traceparent;
    if (other !== undefined) span.link(other);
    await tracing.within(epoch.traceparent, { run: runId }, work);
  });
}

/** Starts a run that has been created. One that moves already is only looked at again. */
export async function startRun(deps: ControlDeps, runId: string): Promise<void> {
  const ledger = openLedger(deps.store, runId);
  await ledger.manifest();
  await inEpoch(deps, ledger, "start", async () => {
    deps.events.publish({ run_id: runId, type: "run.started" });
    await requestAdvance(deps.producer, runId, { id: `start ${ulid()}` });
  });
}

/** Whether a gathering step could not get all that it was asked for. */
function leftSourcesOut(record: StepRecord): boolean {
  const output = gatherOutputSchema.safeParse(record.output);
  return output.success && output.data.failed > 0;
}

/** What failed is tried again under a new generation; sources that failed only where the run itself did. */
async function renewFailures(ledger: Ledger, state: LedgerState): Promise<void> {
  for (const step of state.steps.values()) {
    const again =
      step.failure !== null ||
      (step.record !== null && state.outcome?.status === "failed" && leftSourcesOut(step.record));
    if (again) await ledger.requestGeneration(step.stepId, step.generation + 1, "resume");
  }
}

/** Opens an epoch and has the run looked at, even if an advance that had planned before ends it at this moment. */
async function move(
  deps: ControlDeps,
  ledger: Ledger,
  reason: "resume" | "retry",
  step?: string,
): Promise<void> {
  const { runId } = ledger;
  await inEpoch(deps, ledger, reason, async () => {
    deps.events.publish({ run_id: runId, type: "run.resumed", ...(step === undefined ? {} : { step }) });
    await requestAdvance(deps.producer, runId, { id: `${reason} ${ulid()}`, input: { reopen: reason } });
  });
}

export interface ResumeOptions {
  /** The most that the run may spend from now on, all in all; what is not said stays as it was. */
  budget?: RunBudget | undefined;
}

export interface Resumed {
  /** Artifacts that a person had changed and that are versions of theirs now. */
  edited: string[];
}

/**
 * Sets a run in motion again, whatever stopped it: a lost process, a failure, a cancel, an edit by hand. No
 * finished step is executed again unless something it read has changed.
 */
export async function resumeRun(
  deps: ControlDeps,
  runId: string,
  { budget }: ResumeOptions = {},
): Promise<Resumed> {
  const ledger = openLedger(deps.store, runId);
  const state = await ledger.load();
  if (budget !== undefined) await setBudget(deps.store, runId, budget);
  const edited = await openRunArtifacts(deps.store, runId).adoptEdits();
  await renewFailures(ledger, state);
  await move(deps, ledger, "resume");
  return { edited };
}

/**
 * Executes one step again, though it is finished, and then whatever follows from what it writes.
 * @throws ProofroomError not_found where the run has no such step, conflict while the run moves
 */
export async function retryFrom(deps: ControlDeps, runId: string, stepId: string): Promise<void> {
  const ledger = openLedger(deps.store, runId);
  const state = await ledger.load();
  const step = state.steps.get(stepId);
  if (step === undefined) {
    throw new ProofroomError({
      code: "not_found",
      message: `The run has no step ${stepId}.`,
      remedy: "The status of the run lists its steps.",
    });
  }
  if (state.epoch !== null && state.outcome === null && step.record === null && step.failure === null) {
    throw new ProofroomError({
      code: "conflict",
      message: `The step ${stepId} is under way.`,
      remedy: "Wait for it, or cancel the run first.",
    });
  }
  await openRunArtifacts(deps.store, runId).adoptEdits();
  await ledger.requestGeneration(stepId, step.generation + 1, "retry");
  await move(deps, ledger, "retry", stepId);
}
