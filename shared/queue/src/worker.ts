import { type Capability, ProofroomError, toProofroomError } from "@proofroom/contracts";
import type { Logger } from "@proofroom/telemetry";
import { type Job, WaitingChildrenError, WaitingError, Worker } from "bullmq";
import type { Redis } from "ioredis";
import { keyPrefix } from "./connection.ts";
import { backoffDelay, isInterruption, toBullError, wasInterrupted } from "./disposition.ts";
import { createQueuePool } from "./queue-pool.ts";
import { assertSmall, type StepJob, stepJobSchema } from "./step-job.ts";

/** Thrown by a processor that has submitted children: the job leaves the worker and comes back when they are through. */
export class WaitForChildren extends Error {
  readonly children: readonly { capability: Capability; job: StepJob }[];

  constructor(children: readonly { capability: Capability; job: StepJob }[]) {
    super("waiting for children");
    this.name = "WaitForChildren";
    this.children = children;
  }
}

export interface Delivery {
  job: StepJob;
  /** True where no further attempt follows if this one fails with a retryable error. */
  lastAttempt: boolean;
  /** Of a parent that came back: ids of the child jobs that failed for good. One that was interrupted has not. */
  failedChildren(): Promise<ReadonlySet<string>>;
  /** Aborts on cancel, on a lost lock and when the worker shuts down. */
  signal: AbortSignal;
}

export interface WorkerOptions {
  connection: Redis;
  capability: Capability;
  concurrency?: number;
  /** How long a worker that fell silent keeps its jobs, in milliseconds; 15 seconds where nothing is said. */
  lockMs?: number | undefined;
  log: Logger;
  /** Answers what the queue keeps as the result: a reference, under 1 KB. */
  process(delivery: Delivery): Promise<Record<string, string>>;
}

export interface RunningWorker {
  readonly capability: Capability;
  /** Stops taking jobs and waits for those under way, at most so many milliseconds; then leaves them to others. */
  close(graceMs: number): Promise<void>;
}

/** `{proofroom}:queue:id` → `id`; ids hold no colon. */
function idOfKey(key: string): string {
  return key.slice(key.lastIndexOf(":") + 1);
}

const defaultLockMs = 15_000;

/** Children are handed to Redis this many at a time. */
const addedAtOnce = 50;

/** How long jobs that were told to stop may take to go back into the queue, in milliseconds. */
const handBackMs = 500;

async function within(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Serves one capability's queue. The connection is shared for everything but the blocking read, and not closed. */
export function startWorker(options: WorkerOptions): RunningWorker {
  const { capability, connection, log, lockMs = defaultLockMs } = options;
  const pool = createQueuePool(connection);
  const closing = new AbortController();

  async function addChildren(parent: Job<StepJob>, wait: WaitForChildren): Promise<void> {
    if (parent.id === undefined)
      throw new ProofroomError({ code: "internal", message: "A parent job has no id." });
    const link = {
      parent: { id: parent.id, queue: parent.queueQualifiedName },
      ignoreDependencyOnFailure: true,
    };
    for (let from = 0; from < wait.children.length; from += addedAtOnce) {
      const some = wait.children.slice(from, from + addedAtOnce);
      await Promise.all(some.map((child) => pool.ensure(child.capability, child.job, link)));
    }
  }

  // BullMQ hands the signal only to processors that declare three parameters.
  async function processor(job: Job<StepJob>, token: string | undefined, signal: AbortSignal | undefined) {
    try {
      const parsed = stepJobSchema.safeParse(job.data);
      if (!parsed.success)
        throw new ProofroomError({ code: "invalid_input", message: "The job's data is malformed." });
      const result = await options.process({
        job: parsed.data,
        lastAttempt: job.attemptsMade + 1 >= (job.opts.attempts ?? 1),
        failedChildren: async () => {
          const failures = Object.entries(await job.getIgnoredChildrenFailures());
          return new Set(failures.filter(([, why]) => !wasInterrupted(why)).map(([key]) => idOfKey(key)));
        },
        signal: AbortSignal.any([closing.signal, ...(signal === undefined ? [] : [signal])]),
      });
      assertSmall(result);
      return result;
    } catch (error) {
      if (error instanceof WaitForChildren) {
        await addChildren(job, error);
        if (await job.moveToWaitingChildren(token ?? "")) throw new WaitingChildrenError();
        // All of them ended while they were being added: go round again at once.
        return processor(job, token, signal);
      }
      const failure = toProofroomError(error);
      if (isInterruption(failure)) {
        // It did not fail, so it spends no attempt. Where the lock is lost, another has it already.
        await job.moveToWait(token).catch(() => undefined);
        throw new WaitingError();
      }
      throw toBullError(failure);
    }
  }

  const worker = new Worker<StepJob>(
    capability.name,
    (job: Job<StepJob>, token: string | undefined, signal: AbortSignal | undefined) =>
      processor(job, token, signal),
    {
      connection,
      prefix: keyPrefix,
      concurrency: options.concurrency ?? capability.policy.concurrency,
      lockDuration: lockMs,
      stalledInterval: Math.ceil(lockMs / 3),
      // A network blip spends a stall; poison is bounded by the number of starts instead.
      maxStalledCount: 30,
      maxStartedAttempts: 60,
      runRetryDelay: 1_000,
      settings: {
        backoffStrategy: (attemptsMade, _type, error) =>
          backoffDelay(attemptsMade, capability.policy.backoffMs, error),
      },
    },
  );
  worker.on("error", (error) => log.debug({ capability: capability.name, err: error.message }, "worker"));
  worker.on("lockRenewalFailed", (ids: string[]) => {
    for (const id of ids) worker.cancelJob(id, "lock lost");
  });

  return {
    capability,
    async close(graceMs) {
      const drained = worker.close().catch(() => undefined);
      if (!(await within(drained, graceMs))) {
        closing.abort(new DOMException("shutting down", "AbortError"));
        await within(drained, handBackMs);
      }
      await pool.close();
    },
  };
}
