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
import {
  DelayedError,
  type Job,
  UnrecoverableError,
  WaitingChildrenError,
  WaitingError,
  Worker,
} from "bullmq";
import type { Redis } from "ioredis";
import { keyPrefix } from "./connection.ts";
import { backoffDelay, isInterruption, toBullError, wasInterrupted } from "./disposition.ts";
import { createFairTurns, type Owner } from "./fair-turns.ts";
import { createQueuePool } from "./queue-pool.ts";
import { assertSmall, type StepJob, stepJobSchema } from "./step-job.ts";
import { within } from "./within.ts";
import { createWorkerPulse, type WorkerHealth } from "./worker-pulse.ts";

/** Thrown by a processor that has submitted children: the job leaves the worker and comes back when they are through. */
export class WaitForChildren extends Error {
  readonly children: readonly { capability: Capability; job: StepJob }[];
  /** Whose they are: they wait in turns with those of others. */
  readonly owner: Owner;

  constructor(children: readonly { capability: Capability; job: StepJob }[], owner: Owner) {
    super("waiting for children");
    this.name = "WaitForChildren";
    this.children = children;
    this.owner = owner;
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
  /** How many jobs it has at a time; as the capability says where nothing is. */
  concurrency?: number | undefined;
  /** How long a worker that fell silent keeps its jobs, in milliseconds; 15 seconds where nothing is said. */
  lockMs?: number | undefined;
  log: Logger;
  metrics?: JobMetrics | undefined;
  tracing?: Tracing | undefined;
  /** Answers what the queue keeps as the result: a reference, under 1 KB. */
  process(delivery: Delivery): Promise<Record<string, string>>;
}

export interface RunningWorker {
  readonly capability: Capability;
  /** Whether it takes jobs, from what it really does. */
  health(): WorkerHealth;
  /**
   * Stops taking jobs and waits for those under way, at most so many milliseconds; then leaves them to others.
   * @returns ids of the jobs that were left
   */
  close(graceMs: number): Promise<readonly string[]>;
}

/** `{proofroom}:queue:id` → `id`; ids hold no colon. */
function idOfKey(key: string): string {
  return key.slice(key.lastIndexOf(":") + 1);
}

/** A worker that tells of each turn of its loop: whatever wakes it, it then asks for a job, and is answered. */
class TurningWorker extends Worker<StepJob> {
  onTurn: () => void = () => undefined;

  protected override async moveToActive(token: string, name?: string) {
    const job = await super.moveToActive(token, name);
    this.onTurn();
    return job;
  }
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

const defaultLockMs = 15_000;

/** Children are handed to Redis this many at a time. */
const addedAtOnce = 50;

/** How long jobs that were told to stop may take to go back into the queue, in milliseconds. */
const handBackMs = 500;

/** Serves one capability's queue. The connection is shared for everything but the blocking read, and not closed. */
export function startWorker(options: WorkerOptions): RunningWorker {
  const { capability, connection, log, lockMs = defaultLockMs, tracing = noTracing } = options;
  const pool = createQueuePool(connection, tracing);
  const turns = createFairTurns(connection);
  const closing = new AbortController();

  /** One turn for each child, in the queue of its capability. */
  async function turnsOf(children: WaitForChildren["children"], owner: Owner): Promise<readonly number[]> {
    const counts = new Map<string, number>();
    for (const { capability: of } of children) counts.set(of.name, (counts.get(of.name) ?? 0) + 1);
    const taken = new Map<string, number[]>();
    for (const [name, count] of counts) taken.set(name, [...(await turns.take(name, owner, count))]);
    return children.map(({ capability: of }) => taken.get(of.name)?.shift() ?? 0);
  }

  async function addChildren(parent: Job<StepJob>, wait: WaitForChildren): Promise<void> {
    if (parent.id === undefined)
      throw new ProofroomError({ code: "internal", message: "A parent job has no id." });
    const link = {
      parent: { id: parent.id, queue: parent.queueQualifiedName },
      ignoreDependencyOnFailure: true,
    };
    for (let from = 0; from < wait.children.length; from += addedAtOnce) {
      const some = wait.children.slice(from, from + addedAtOnce);
      const priorities = await turnsOf(some, wait.owner);
      await Promise.all(
        some.map((child, at) =>
          pool.ensure(child.capability, child.job, { ...link, priority: priorities[at] ?? 0 }),
        ),
      );
    }
  }

  async function processor(
    job: Job<StepJob>,
    token: string | undefined,
    signal: AbortSignal | undefined,
    span: Span,
  ) {
    try {
      const parsed = stepJobSchema.safeParse(job.data);
      if (!parsed.success)
        throw new ProofroomError({ code: "invalid_input", message: "The job's data is malformed." });
      const result = await options.process({
        job: parsed.data,
        lastAttempt: isLastAttempt(job),
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
        if (await job.moveToWaitingChildren(token ?? "")) {
          span.set({ [dispositionAttribute]: "waiting_children" });
          throw new WaitingChildrenError();
        }
        // All of them ended while they were being added: go round again at once.
        return processor(job, token, signal, span);
      }
      const failure = toProofroomError(error);
      if (isInterruption(failure)) {
        // It did not fail, so it spends no attempt. Where the lock is lost, another has it already.
        span.set({ [dispositionAttribute]: "interrupted" });
        await job.moveToWait(token).catch(() => undefined);
        throw new WaitingError();
      }
      if (failure.disposition.kind === "wait") {
        span.set({ [dispositionAttribute]: "wait" });
        await job.moveToDelayed(Date.now() + failure.disposition.delayMs, token);
        throw new DelayedError();
      }
      span.fail(failure.code, { [dispositionAttribute]: failure.disposition.kind });
      throw toBullError(failure);
    }
  }

  const underWay = new Set<string>();

  // BullMQ hands the signal only to processors that declare three parameters.
  async function counted(job: Job<StepJob>, token: string | undefined, signal: AbortSignal | undefined) {
    const end = options.metrics?.begin(capability.name);
    const id = String(job.id);
    const began = performance.now();
    const conclude = (outcome: JobOutcome) => {
      end?.(outcome);
      underWay.delete(id);
      const ms = Math.round(performance.now() - began);
      log.info(
        { run_id: job.data?.run_id, job_id: id, capability: capability.name, outcome, ms },
        "executed",
      );
    };
    underWay.add(id);
    const message = { destination: capability.name, id, runId: job.data?.run_id };
    const span = tracing.open(processSpan(message, { ...job.data, attempt: job.attemptsMade + 1 }));
    return span.run(async () => {
      try {
        const result = await processor(job, token, signal, span);
        conclude("done");
        return result;
      } catch (error) {
        conclude(outcomeOf(error, job));
        throw error;
      } finally {
        span.end();
      }
    });
  }

  const worker = new TurningWorker(
    capability.name,
    (job: Job<StepJob>, token: string | undefined, signal: AbortSignal | undefined) =>
      counted(job, token, signal),
    {
      connection,
      prefix: keyPrefix,
      concurrency: options.concurrency ?? capability.policy.concurrency,
      lockDuration: lockMs,
      stalledInterval: Math.ceil(lockMs / 3),
      // A network blip spends a stall; what ends poison is the ledger's count of starts that ended without a word. Starts
      // have no limit: a job that waits for a quota, or for a place of its tenant, spends one every second or two.
      maxStalledCount: 30,
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
  const pulse = createWorkerPulse(() => performance.now());
  worker.onTurn = pulse.beat;
  // While every place is taken it asks for no job, but its locks are renewed.
  worker.on("locksRenewed", pulse.beat);
  worker.on("ioredis:close", pulse.lose);

  return {
    capability,
    health: () =>
      pulse.health({
        closing: worker.closing !== undefined,
        paused: worker.isPaused(),
        connected: connection.status === "ready",
      }),
    async close(graceMs) {
      const drained = worker.close().then(
        () => true,
        () => true,
      );
      let left: string[] = [];
      // Without Redis it does not close by itself, and where nothing is under way there is nothing to wait for.
      const isIdle = underWay.size === 0 && connection.status !== "ready";
      if ((await within(drained, isIdle ? Math.min(handBackMs, graceMs) : graceMs)) === null) {
        left = [...underWay];
        closing.abort(new DOMException("shutting down", "AbortError"));
        await within(drained, handBackMs);
      }
      await pool.close();
      return left;
    },
  };
}
