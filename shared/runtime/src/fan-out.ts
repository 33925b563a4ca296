import type { ObjectStore } from "@proofroom/artifacts";
import { type Capability, type InputOf, jobId, type OutputOf } from "@proofroom/contracts";
import { type StepJob, WaitForChildren } from "@proofroom/queue";
import type { ChildOutcome } from "./handler.ts";
import type { Ledger } from "./ledger.ts";
import { jobOf } from "./submit.ts";

export interface FanOutOptions {
  store: ObjectStore;
  ledger: Ledger;
  parent: StepJob;
  /** Ids of the parent's child jobs that the queue gave up. */
  failedChildren(): Promise<ReadonlySet<string>>;
}

const lost = {
  code: "internal" as const,
  message: "The worker of this job was lost again and again.",
  remedy: "Resume the run to try once more.",
};

/**
 * Counts the children from the ledger; those it knows nothing final of are handed to the queue by throwing
 * WaitForChildren. A child that the queue gave up without a word in the ledger took its workers with it.
 */
export async function fanOut<C extends Capability>(
  options: FanOutOptions,
  capability: C,
  inputs: readonly InputOf<C>[],
): Promise<ChildOutcome<C>[]> {
  const { ledger, parent } = options;
  const outcomes: ChildOutcome<C>[] = [];
  const missing: { capability: Capability; job: StepJob }[] = [];
  let failedJobs: ReadonlySet<string> | undefined;
  for (const input of inputs) {
    const job = await jobOf(options.store, parent.run_id, {
      capability,
      input,
      generation: parent.generation,
      parent: parent.step_id,
    });
    const done = await finishedChild(ledger, job);
    if (done !== null) {
      outcomes.push({ input, output: capability.output.parse(done) as OutputOf<C> });
      continue;
    }
    const failure = await ledger.failure({
      stepId: job.step_id,
      generation: job.generation,
      parent: parent.step_id,
    });
    failedJobs ??= await options.failedChildren();
    if (failure !== null) outcomes.push({ input, error: failure });
    else if (failedJobs.has(jobId(job.run_id, job.step_id, job.generation)))
      outcomes.push({ input, error: lost });
    else missing.push({ capability, job });
  }
  if (missing.length > 0) throw new WaitForChildren(missing);
  return outcomes;
}

/** A child that an earlier generation of its parent finished stays finished: only what failed is tried again. */
async function finishedChild(ledger: Ledger, job: StepJob): Promise<Record<string, unknown> | null> {
  for (let generation = job.generation; generation >= 1; generation -= 1) {
    const record = await ledger.record({ stepId: job.step_id, generation, parent: job.parent });
    if (record !== null) return record.output;
  }
  return null;
}
