import type { Capability } from "@proofroom/contracts";
import { type Job, Worker } from "bullmq";
import { keyPrefix } from "./connection.ts";
import { backoffDelay } from "./disposition.ts";
import { createJobExecutions, type ExecutionOptions } from "./job-execution.ts";
import { createQueuePool } from "./queue-pool.ts";
import type { StepJob } from "./step-job.ts";
import { within } from "./within.ts";
import { createWorkerPulse, type WorkerHealth } from "./worker-pulse.ts";

export interface WorkerOptions extends ExecutionOptions {
  /** How many jobs it has at a time; as the capability says where nothing is. */
  concurrency?: number | undefined;
  /** How long a worker that fell silent keeps its jobs, in milliseconds; 15 seconds where nothing is said. */
  lockMs?: number | undefined;
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

/** A worker that tells of each turn of its loop: whatever wakes it, it then asks for a job, and is answered. */
class TurningWorker extends Worker<StepJob> {
  onTurn: () => void = () => undefined;

  protected override async moveToActive(token: string, name?: string) {
    const job = await super.moveToActive(token, name);
    this.onTurn();
    return job;
  }
}

const defaultLockMs = 15_000;

/** How long jobs that were told to stop may take to go back into the queue, in milliseconds. */
const handBackMs = 500;

/** Serves one capability's queue. The connection is shared for everything but the blocking read, and not closed. */
export function startWorker(options: WorkerOptions): RunningWorker {
  const { capability, connection, log, lockMs = defaultLockMs } = options;
  const pool = createQueuePool(connection, options.tracing);
  const { execute, underWay } = createJobExecutions(options, pool);
  const closing = new AbortController();

  const worker = new TurningWorker(
    capability.name,
    // BullMQ hands the signal only to processors that declare three parameters.
    (job: Job<StepJob>, token: string | undefined, signal: AbortSignal | undefined) =>
      execute(job, token, AbortSignal.any([closing.signal, ...(signal === undefined ? [] : [signal])])),
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
        left = [...underWay].map(({ jobId }) => jobId);
        closing.abort(new DOMException("shutting down", "AbortError"));
        await within(drained, handBackMs);
      }
      await pool.close();
      return left;
    },
  };
}
