import { openRunArtifacts } from "@proofroom/artifacts";
import { type Capability, type GenerationRequest, ProofroomError } from "@proofroom/contracts";
import { noTracing } from "@proofroom/telemetry";
import { stepIdOf } from "../canonical.ts";
import type { ControlDeps } from "../control/request-advance.ts";
import { isStale, loadSuccessors } from "../freshness.ts";
import { openLedger, type StepState } from "../ledger.ts";
import { jobOf } from "../submit.ts";
import { type JobRef, jobRefOf } from "./job-ref.ts";

export interface CapabilityCall {
  runId: string;
  capability: Capability;
  input: Record<string, unknown>;
  /** Execute again although the result stands. */
  force?: boolean;
}

type CallDeps = Pick<ControlDeps, "store" | "producer" | "tracing">;

export interface CalledJob extends JobRef {
  /** When this call asked for it, in ISO 8601: nothing else is known of it yet then. Null where it had been asked for before. */
  askedAt: string | null;
  /** Puts the job in again, in case Redis lost it; one that is on its way is left alone. */
  resubmit(): Promise<void>;
}

/**
 * Checks an input strictly: a field that the capability does not have is a mistake that should not pass.
 * @throws ProofroomError invalid_input, naming the field
 */
function parseInput(capability: Capability, input: Record<string, unknown>): Record<string, unknown> {
  const parsed = capability.input.strict().safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ProofroomError({
    code: "invalid_input",
    message: `The input of ${capability.name} is not valid: ${issue?.path.join(".") || "input"}: ${issue?.message ?? ""}`,
    remedy: `See what ${capability.name} takes: docs/capabilities.md.`,
  });
}

/** Why a known step needs a further generation to answer the call, or null where its newest one answers. */
async function reasonToRenew(deps: CallDeps, step: StepState, call: CapabilityCall) {
  if (step.failure !== null) return "retry" as const;
  if (step.record === null) return null;
  const artifacts = openRunArtifacts(deps.store, call.runId);
  if (isStale(step.record, await loadSuccessors(artifacts, [step.record]), () => "before"))
    return "stale" as const;
  return call.force === true ? ("force" as const) : null;
}

/**
 * Calls one capability on a run. The same call again finds the same job while its result stands; it is executed
 * again where it failed, where what it read has changed since, or where that is forced.
 * @throws ProofroomError invalid_input, not_found (no such run), conflict (the run was cancelled, and no result stands),
 *   dependency_down
 */
export async function callCapability(deps: CallDeps, call: CapabilityCall): Promise<CalledJob> {
  const { capability, runId } = call;
  const input = parseInput(capability, call.input);
  const ledger = openLedger(deps.store, runId);
  const artifacts = openRunArtifacts(deps.store, runId);
  const [{ steps, outcome }] = await Promise.all([ledger.load(), artifacts.adoptEdits()]);
  const stepId = stepIdOf(capability, input);
  const step = steps.get(stepId);
  const reason = step === undefined ? null : await reasonToRenew(deps, step, call);
  if (outcome?.status === "cancelled" && (reason !== null || step?.record == null)) {
    throw new ProofroomError({
      code: "conflict",
      message: "The run was cancelled.",
      remedy: "Resume it: that sets it in motion again. Or make another.",
    });
  }
  const generation = (step?.generation ?? 1) + (reason === null ? 0 : 1);
  const ref = jobRefOf(runId, stepId, generation, capability);
  const job = await jobOf(deps.store, runId, { capability, input, generation });
  const { tracing = noTracing } = deps;
  const traceparent = tracing.active()?.traceparent;
  let asked: GenerationRequest | null = null;
  // Before the queue has it: a job whose id was given out is known, and can be put in again, whatever Redis forgets.
  if (step === undefined || reason !== null) {
    const { input: small, input_ref } = job;
    asked = await ledger.requestGeneration(stepId, generation, reason ?? "call", {
      ...(small === undefined ? {} : { input: small }),
      ...(input_ref === undefined ? {} : { input_ref }),
      ...(traceparent === undefined ? {} : { traceparent }),
    });
  }
  const resubmit = () =>
    tracing.within(traceparent, { run: runId }, () => deps.producer.submit(capability, job));
  if (reason !== null || step?.record == null) await resubmit();
  return { ...ref, resubmit, askedAt: asked?.at ?? null };
}

/**
 * Puts a job in again that a call from outside had asked for, in case Redis lost it; one that is on its way is left
 * alone, and so is one that the orchestrator looks after.
 * @throws ProofroomError dependency_down
 */
export async function resubmitJob(
  deps: CallDeps,
  { runId, stepId, generation, capability }: JobRef,
): Promise<void> {
  const request = await openLedger(deps.store, runId).request({ stepId, generation });
  if (request === null || (request.input === undefined && request.input_ref === undefined)) return;
  const { input, input_ref } = request;
  const { tracing = noTracing } = deps;
  await tracing.within(request.traceparent, { run: runId }, () =>
    deps.producer.submit(capability, {
      v: 1,
      run_id: runId,
      capability: capability.name,
      step_id: stepId,
      generation,
      ...(input === undefined ? {} : { input }),
      ...(input_ref === undefined ? {} : { input_ref }),
    }),
  );
}
