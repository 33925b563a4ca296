import type { ObjectStore } from "@proofroom/artifacts";
import { type Capability, type InputOf, jobId, type OutputOf } from "@proofroom/contracts";
import { type StepJob, WaitForChildren } from "@proofroom/queue";
import { authorOf } from "./canonical.ts";
import type { ChildOutcome } from "./handler.ts";
import type { Ledger } from "./ledger.ts";
import { finalFailure } from "./step-failure.ts";
import { jobOf } from "./submit.ts";

export interface FanOutOptions {
  store: ObjectStore;
  ledger: Ledger;
  parent: StepJob;
  /** Ids of the parent's child jobs that the queue gave up. */
  failedChildren(): Promise<ReadonlySet<string>>;
}

/** What is said of a step whose executions end without a word, each of them. */
export const lost = {
  code: "internal" as const,
  message: "The worker of this job was lost again and again.",
  remedy: "Resume the run to try once more.",
};

/** Records of children are read this many at a time. */
const readAtOnce = 16;

/**
 * Counts the children from the ledger; those it knows nothing final of are handed to the queue by throwing
 * WaitForChildren. A child that the queue gave up without a word in the ledger took its workers with it. One that
 * an earlier generation of its parent finished stays finished: only what failed is tried again.
 * @throws ProofroomError budget where the run's money was spent before all children were through
 */
export async function fanOut<C extends Capability>(
  options: FanOutOptions,
  capability: C,
  inputs: readonly InputOf<C>[],
): Promise<ChildOutcome<C>[]> {
  const { ledger, parent } = options;
  const known = await ledger.children(parent.step_id);
  let failedJobs: Promise<ReadonlySet<string>> | undefined;

  async function outcomeOf(input: InputOf<C>): Promise<ChildOutcome<C> | StepJob> {
    const { generation, step_id } = parent;
    const job = await jobOf(options.store, parent.run_id, { capability, input, generation, parent: step_id });
    const ref = { stepId: job.step_id, parent: step_id };
    for (let earlier = generation; earlier >= 1; earlier -= 1) {
      if (!known.finished.has(authorOf(job.step_id, earlier))) continue;
      const record = await ledger.record({ ...ref, generation: earlier });
      if (record !== null) return { input, output: capability.output.parse(record.output) as OutputOf<C> };
    }
    if (known.failed.has(authorOf(job.step_id, generation))) {
      const failure = await ledger.failure({ ...ref, generation });
      if (failure !== null) return { input, error: failure };
    }
    failedJobs ??= options.failedChildren();
    return (await failedJobs).has(jobId(job.run_id, job.step_id, generation)) ? { input, error: lost } : job;
  }

  const outcomes: ChildOutcome<C>[] = [];
  const missing: { capability: Capability; job: StepJob }[] = [];
  for (let from = 0; from < inputs.length; from += readAtOnce) {
    for (const found of await Promise.all(inputs.slice(from, from + readAtOnce).map(outcomeOf))) {
      if ("step_id" in found) missing.push({ capability, job: found });
      else outcomes.push(found);
    }
  }
  if (missing.length > 0) {
    const { tenant } = await ledger.manifest();
    throw new WaitForChildren(missing, { tenant, runId: parent.run_id });
  }
  // That is no fault of the child's: with more money it goes on, so its parent must not end without it.
  const spent = outcomes.find(({ error }) => error?.code === "budget")?.error;
  if (spent !== undefined) throw finalFailure(spent);
  return outcomes;
}
