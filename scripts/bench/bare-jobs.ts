import { type Capability, verifyCitations } from "../../shared/contracts/src/index.ts";
import { startWorker } from "../../shared/queue/src/index.ts";
import { createQueuePool } from "../../shared/queue/src/queue-pool.ts";
import type { NoOpRuntime } from "./no-op-runtime.ts";

export interface BareJobs {
  /** Adds one job to the queue of this number. */
  add(queue: number): Promise<unknown>;
  /** What the worker of each queue does with a job: nothing else. */
  whenTaken(take: (queue: number) => Promise<unknown>): void;
  close(): Promise<void>;
}

/** Queues of BullMQ as they are, on the Redis of a runtime: `Queue.add`, and workers that do nothing but take. */
export function openBareJobs({ connection, log, runId }: NoOpRuntime, count: number): BareJobs {
  const pool = createQueuePool(connection);
  let take = async (_queue: number): Promise<unknown> => undefined;
  const queues = Array.from({ length: count }, (_unused, queue) => {
    const capability: Capability = { ...verifyCitations, name: `bare-${queue}` };
    const worker = startWorker({
      capability,
      connection,
      log,
      async process() {
        await take(queue);
        return {};
      },
    });
    return { worker, bull: pool.of(capability) };
  });
  return {
    async add(queue) {
      const job = { v: 1 as const, run_id: runId, capability: "bare", step_id: "bare", generation: 1 };
      await queues[queue]?.bull.add("bare", job, { removeOnComplete: true });
    },
    whenTaken(next) {
      take = next;
    },
    async close() {
      await Promise.all(queues.map(({ worker }) => worker.close(1_000)));
      await pool.close();
    },
  };
}
