import { type Capability, jobId } from "@proofroom/contracts";
import { type JobsOptions, Queue } from "bullmq";
import type { Redis } from "ioredis";
import { keyPrefix } from "./connection.ts";
import { jobOptions } from "./job-options.ts";
import { assertSmall, type StepJob } from "./step-job.ts";

export interface QueuePool {
  of(capability: Capability): Queue<StepJob>;
  /**
   * Makes sure that the job is on its way. One that waits or runs is left alone; one that ended, though whoever
   * submits still wants it, is put in again: a retained job would silently swallow the repeated id.
   */
  ensure(capability: Capability, job: StepJob, extra?: JobsOptions): Promise<void>;
  close(): Promise<void>;
}

const ended: ReadonlySet<string> = new Set(["completed", "failed"]);

/** One BullMQ queue per capability, opened when it is first used, over the connection given (which is not closed). */
export function createQueuePool(connection: Redis): QueuePool {
  const queues = new Map<string, Queue<StepJob>>();

  function of(capability: Capability): Queue<StepJob> {
    let queue = queues.get(capability.name);
    if (queue === undefined) {
      queue = new Queue<StepJob>(capability.name, {
        connection,
        prefix: keyPrefix,
        streams: { events: { maxLen: 100 } },
      });
      queue.on("error", () => undefined);
      queues.set(capability.name, queue);
    }
    return queue;
  }

  return {
    of,
    async ensure(capability, job, extra = {}) {
      assertSmall(job);
      const queue = of(capability);
      const id = jobId(job.run_id, job.step_id, job.generation);
      const state = await queue.getJobState(id);
      if (ended.has(state)) await queue.remove(id);
      // Added even if it waits already: a child that an earlier parent left behind learns of its parent so.
      await queue.add(capability.name, job, { ...jobOptions(capability, job), ...extra });
    },
    async close() {
      await Promise.all([...queues.values()].map((queue) => queue.close().catch(() => undefined)));
    },
  };
}
