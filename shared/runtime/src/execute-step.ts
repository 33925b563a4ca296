import { type ObjectStore, openRunArtifacts, readObject } from "@proofroom/artifacts";
import {
  type Capability,
  jobId,
  ProofroomError,
  type StepRecord,
  toProofroomError,
  toPublicError,
} from "@proofroom/contracts";
import { type Delivery, type EventLog, payloadLimit, type StepJob, WaitForChildren } from "@proofroom/queue";
import {
  type Logger,
  noTracing,
  type Span,
  stepArtifacts,
  stepInput,
  stepOutput,
  type Tracing,
} from "@proofroom/telemetry";
import type { Cancellations } from "./cancellations.ts";
import { cancellationOf, runRemoved } from "./cancelled.ts";
import { authorOf, canonicalJson, hashOf } from "./canonical.ts";
import { fanOut, lost } from "./fan-out.ts";
import { fence, finishedByAnother } from "./fence.ts";
import type { StepContext } from "./handler.ts";
import { type Ledger, openLedger } from "./ledger.ts";
import type { StepRef } from "./ledger-keys.ts";
import { orAborted } from "./or-aborted.ts";
import { type RecordedArtifacts, recordArtifacts } from "./step-artifacts.ts";
import { finalFailure, judge, noteFailure } from "./step-failure.ts";
import { inStepSpan } from "./traces/step-span.ts";

export interface ExecuteDeps {
  store: ObjectStore;
  events: EventLog;
  cancellations: Cancellations;
  log: Logger;
  tracing?: Tracing | undefined;
}

/** A handler whose types the catalog has already matched to its capability. */
export type AnyHandler = (input: never, context: StepContext) => Promise<Record<string, unknown>>;

/** Progress of one step reaches the event log at most this often, in milliseconds. */
const progressInterval = 200;

async function inputOf(
  store: ObjectStore,
  job: StepJob,
  capability: Capability,
): Promise<Record<string, unknown>> {
  const raw =
    job.input_ref === undefined
      ? (job.input ?? {})
      : JSON.parse(
          Buffer.from(await readObject(store, `runs/${job.run_id}/${job.input_ref}`)).toString("utf8"),
        );
  const parsed = capability.input.safeParse(raw);
  if (!parsed.success) {
    throw new ProofroomError({
      code: "invalid_input",
      message: `The input of ${capability.name} is not valid.`,
      cause: parsed.error,
    });
  }
  return parsed.data;
}

function recordOf(
  capability: Capability,
  job: StepJob,
  facts: {
    input: Record<string, unknown>;
    output: Record<string, unknown>;
    startedAt: string;
    artifacts: RecordedArtifacts;
  },
): StepRecord {
  const inputText = canonicalJson(facts.input);
  const reads = [...facts.artifacts.reads];
  return {
    v: 1,
    step_id: job.step_id,
    generation: job.generation,
    capability: capability.name,
    step_key: hashOf({
      capability: capability.name,
      version: capability.version,
      generation: job.generation,
      input: facts.input,
      reads: reads.map(({ name, sha256 }) => ({ name, sha256 })),
    }),
    input_sha256: hashOf(facts.input),
    ...(Buffer.byteLength(inputText) <= payloadLimit ? { input: facts.input } : {}),
    reads,
    writes: [...facts.artifacts.writes],
    output: facts.output,
    started_at: facts.startedAt,
    finished_at: new Date().toISOString(),
  };
}

/** Executions of one generation that may end without a word before the step is given up: it takes its workers with it. */
const lostStartsAllowed = 30;

/**
 * Executes one delivery of a step: adopts a record or a final failure that stands already, else runs the handler, checks its output
 * and writes the record, once. Every start and every failure leaves an attempt in the ledger.
 * @throws ProofroomError what the handler failed with; WaitForChildren where it waits for children
 */
export async function executeStep(
  deps: ExecuteDeps,
  capability: Capability,
  handler: AnyHandler,
  delivery: Delivery,
): Promise<Record<string, string>> {
  const { job } = delivery;
  const { tracing = noTracing } = deps;
  const ledger = openLedger(deps.store, job.run_id);
  const ref: StepRef = { stepId: job.step_id, generation: job.generation, parent: job.parent };
  const answer = { record: authorOf(job.step_id, job.generation) };
  // A worker may have died after it had noted the failure and before the queue knew of it.
  const ends = Promise.all([ledger.record(ref), ledger.failure(ref)]);
  const [record, failure] = await orAborted(ends, delivery.signal, capability);
  if (record !== null) return answer;
  if (failure !== null) throw finalFailure(failure);
  // Whoever cancels writes it into the ledger and then sends word: listening first and reading second misses neither.
  await deps.cancellations.during({ runId: job.run_id, step: ref }, async (cancelled) => {
    const before = Promise.all([cancellationOf(ledger, ref), ledger.lostStarts(ref)]);
    const [cancellation, lostStarts] = await orAborted(before, delivery.signal, capability);
    if (cancellation !== null) throw cancellation;
    const signals = [delivery.signal, cancelled, AbortSignal.timeout(capability.policy.timeoutMs)];
    const attempted = { ...delivery, signal: AbortSignal.any(signals) };
    const isLost = lostStarts >= lostStartsAllowed;
    const attempt = await ledger.begin(ref);
    // A worker may have been frozen since it last looked; now that its start is noted it looks again.
    if ((await ledger.record(ref)) !== null) {
      await ledger.fail(ref, attempt, toPublicError(finishedByAnother()), { final: false });
      return;
    }
    if (job.parent === undefined)
      deps.events.publish({ run_id: job.run_id, step: job.step_id, type: "step.started" });
    try {
      if (isLost) throw finalFailure(lost);
      await inStepSpan(tracing, job, (span) => attemptStep(deps, capability, handler, attempted, span));
    } catch (thrown) {
      if (thrown instanceof WaitForChildren) throw thrown;
      // Whatever it failed with: that it was interrupted, or that an artifact is missing. Nothing of it is noted any more.
      if (await ledger.isRemoved()) throw runRemoved();
      const error = await judge(toProofroomError(thrown), {
        capability,
        ledger,
        step: ref,
        signal: attempted.signal,
      });
      throw await noteFailure(deps, ledger, { ref, attempt, delivery }, error);
    }
  });
  return answer;
}

async function attemptStep(
  deps: ExecuteDeps,
  capability: Capability,
  handler: AnyHandler,
  delivery: Delivery,
  span: Span,
): Promise<void> {
  const { job, signal } = delivery;
  const startedAt = new Date().toISOString();
  const ledger: Ledger = openLedger(deps.store, job.run_id);
  const ref: StepRef = { stepId: job.step_id, generation: job.generation, parent: job.parent };
  const event = { run_id: job.run_id, step: job.step_id };
  const artifacts = recordArtifacts({
    artifacts: openRunArtifacts(fence(deps.store, ledger, ref), job.run_id),
    capability,
    stepId: job.step_id,
    generation: job.generation,
    signal,
    onWrite: (written) => {
      if (!written.name.startsWith(".nova/sources/")) {
        deps.events.publish({ ...event, type: "artifact.written", artifact: written.name });
      }
    },
  });
  let told = 0;
  const context: StepContext = {
    runId: job.run_id,
    stepId: job.step_id,
    generation: job.generation,
    artifacts,
    signal,
    log: deps.log.child({
      run_id: job.run_id,
      step: job.step_id,
      job_id: jobId(job.run_id, job.step_id, job.generation),
    }),
    progress(update) {
      const now = Date.now();
      if (now - told < progressInterval && update.done !== update.total) return;
      told = now;
      const { message, ...progress } = update;
      deps.events.publish({
        ...event,
        type: "step.progress",
        progress,
        ...(message === undefined ? {} : { message }),
      });
    },
    fanOut: (child, inputs) =>
      fanOut(
        { store: deps.store, ledger, parent: job, failedChildren: delivery.failedChildren },
        child,
        inputs,
      ),
  };
  const input = await orAborted(inputOf(deps.store, job, capability), signal, capability);
  span.content(stepInput, () => JSON.stringify(input));
  const answered = await orAborted(handler(input as never, context), signal, capability);
  const output = capability.output.safeParse(answered);
  if (!output.success) {
    throw new ProofroomError({
      code: "internal",
      message: `${capability.name} gave an answer of the wrong form.`,
      cause: output.error,
    });
  }
  span.content(stepOutput, () => JSON.stringify(output.data));
  span.set(stepArtifacts(artifacts.reads, artifacts.writes));
  const record = recordOf(capability, job, { input, output: output.data, startedAt, artifacts });
  if (await ledger.isRemoved()) throw runRemoved();
  const { adopted } = await ledger.commit(ref, record);
  if (job.parent === undefined && !adopted) {
    const kept = artifacts.replacedPersons.map(
      (name) => `${name}: the text that a person wrote is kept in its history`,
    );
    deps.events.publish({
      ...event,
      type: "step.finished",
      ...(kept.length === 0 ? {} : { message: kept.join("; ") }),
    });
  }
}
