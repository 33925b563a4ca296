import { type Capability, ProofroomError, toProofroomError } from "@proofroom/contracts";
import {
  dispositionAttribute,
  type JobMetrics,
  type JobOutcome,
  type Logger,
  noTracing,
  processSpan,
  type Span,
  type Tracing,
} from "@proofroom/telemetry";
import { DelayedError, type Job, UnrecoverableError, WaitingChildrenError, WaitingError } from "bullmq";
import type { Redis } from "ioredis";
import { isInterruption, toBullError, wasInterrupted } from "./disposition.ts";
import type { QueuePool } from "./queue-pool.ts";
import { reaching } from "./reaching.ts";
import { assertSmall, type StepJob, stepJobSchema } from "./step-job.ts";
import type { HeldJob } from "./tenant-places.ts";
import { createChildren, WaitForChildren } from "./wait-for-children.ts";

export interface Delivery {
  job: StepJob;
  /** True where no further attempt follows if this one fails with a retryable error. */
  lastAttempt: boolean;
  /** Of a parent that came back: ids of the child jobs that failed for good. One that was interrupted has not. */
  failedChildren(): Promise<ReadonlySet<string>>;
  /** Aborts on cancel, on a lost lock and when the worker shuts down. */
  signal: AbortSignal;
}

export interface ExecutionOptions {
  connection: Redis;
  capability: Capability;
  log: Logger;
  metrics?: JobMetrics | undefined;
  tracing?: Tracing | undefined;
  /** Answers what the queue keeps as the result: a reference, under 1 KB. */
  process(delivery: Delivery, held: HeldJob): Promise<Record<string, string>>;
}

/** What BullMQ is told instead of a result: the job has been moved on already. */
const movedOn = [WaitingChildrenError, DelayedError, WaitingError];

/** `{proofroom}:queue:id` → `id`; ids hold no colon. */
function idOfKey(key: string): string {
  return key.slice(key.lastIndexOf(":") + 1);
}

function isLastAttempt(job: Job<StepJob>): boolean {
  return job.attemptsMade + 1 >= (job.opts.attempts ?? 1);
}

function outcomeOf(error: unknown, job: Job<StepJob>): JobOutcome {
  if (error instanceof WaitingChildrenError || error instanceof DelayedError) return "waiting";
  if (error instanceof WaitingError) return "interrupted";
  if (error instanceof UnrecoverableError) return wasInterrupted(error.message) ? "cancelled" : "failed";
  return isLastAttempt(job) ? "failed" : "retried";
}

/** The executions of one worker's jobs. */
export interface JobExecutions {
  /** One that froze may have the same job as its successor here. */
  readonly underWay: ReadonlySet<HeldJob>;
  /** Executes a job that the worker has. @throws what tells BullMQ what has become of the job, and nothing else */
  execute(job: Job<StepJob>, token: string | undefined, signal: AbortSignal): Promise<Record<string, string>>;
}

/** @param pool the queues of children; the caller's to close */
export function createJobExecutions(options: ExecutionOptions, pool: QueuePool): JobExecutions {
  const { capability, connection, log, tracing = noTracing } = options;
  const addChildren = createChildren(connection, pool, capability);
  const underWay = new Set<HeldJob>();

  async function process(
    job: Job<StepJob>,
    held: HeldJob,
    signal: AbortSignal,
  ): Promise<Record<string, string>> {
    const parsed = stepJobSchema.safeParse(job.data);
    if (!parsed.success)
      throw new ProofroomError({ code: "invalid_input", message: "The job's data is malformed." });
    const delivery: Delivery = {
      job: parsed.data,
      lastAttempt: isLastAttempt(job),
      failedChildren: async () => {
        const found = await reaching(connection, () => job.getIgnoredChildrenFailures());
        const failures = Object.entries(found).filter(([, why]) => !wasInterrupted(why));
        return new Set(failures.map(([key]) => idOfKey(key)));
      },
      signal,
    };
    const result = await options.process(delivery, held);
    assertSmall(result);
    return result;
  }

  /** Goes round again at once where all children ended while they were being added. */
  async function processWithChildren(job: Job<StepJob>, held: HeldJob, signal: AbortSignal, span: Span) {
    for (;;) {
      try {
        return await process(job, held, signal);
      } catch (error) {
        if (!(error instanceof WaitForChildren)) throw error;
        await addChildren({ id: held.jobId, queue: job.queueQualifiedName }, error, signal);
        if (await reaching(connection, () => job.moveToWaitingChildren(held.token))) {
          span.set({ [dispositionAttribute]: "waiting_children" });
          throw new WaitingChildrenError();
        }
      }
    }
  }

  /** Moves a job on whose execution gave no result. Answers what BullMQ is to be told. */
  async function settle(job: Job<StepJob>, { token }: HeldJob, thrown: unknown, span: Span): Promise<Error> {
    if (movedOn.some((kind) => thrown instanceof kind)) return thrown as Error;
    const failure = toProofroomError(thrown);
    const { disposition } = failure;
    // Where it cannot be moved, the lock is lost and another has it already, or its end gives it to another.
    if (isInterruption(failure)) {
      // It did not fail, so it spends no attempt.
      span.set({ [dispositionAttribute]: "interrupted" });
      await job.moveToWait(token).catch(() => undefined);
      return new WaitingError();
    }
    if (disposition.kind === "wait") {
      span.set({ [dispositionAttribute]: "wait" });
      await job.moveToDelayed(Date.now() + disposition.delayMs, token).catch(() => undefined);
      return new DelayedError();
    }
    span.fail(failure.code, { [dispositionAttribute]: disposition.kind });
    return toBullError(failure);
  }

  return {
    underWay,
    async execute(job, token = "", signal) {
      const held: HeldJob = { jobId: String(job.id), token };
      const end = options.metrics?.begin(capability.name);
      const began = performance.now();
      const of = { run_id: job.data?.run_id, job_id: held.jobId, capability: capability.name };
      const conclude = (outcome: JobOutcome) => {
        end?.(outcome);
        underWay.delete(held);
        log.info({ ...of, outcome, ms: Math.round(performance.now() - began) }, "executed");
      };
      underWay.add(held);
      const message = { destination: capability.name, id: held.jobId, runId: job.data?.run_id };
      const span = tracing.open(processSpan(message, { ...job.data, attempt: job.attemptsMade + 1 }));
      return span.run(async () => {
        try {
          const result = await processWithChildren(job, held, signal, span);
          conclude("done");
          return result;
        } catch (thrown) {
          const error = await settle(job, held, thrown, span);
          conclude(outcomeOf(error, job));
          throw error;
        } finally {
          span.end();
        }
      });
    },
  };
}
