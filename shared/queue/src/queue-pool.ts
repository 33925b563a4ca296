import { type Capability, jobId } from "@proofroom/contracts";
import { noTracing, sendSpan, type Tracing } from "@proofroom/telemetry";
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
  /** Lets a job that waits for its time wait no longer. */
  hurry(capability: Capability, job: Pick<StepJob, "run_id" | "step_id" | "generation">): Promise<void>;
  close(): Promise<void>;
}

/** One BullMQ queue per capability, opened when it is first used, over the connection given (which is not closed). */
export function createQueuePool(connection: Redis, tracing: Tracing = noTracing): QueuePool {
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
      const queue = of(capability);
      const id = jobId(job.run_id, job.step_id, job.generation);
      // Only what ended has this field. BullMQ's own question for the state searches through everything that waits.
      const [finishedOn, addedOn] = await connection.hmget(queue.toKey(id), "finishedOn", "timestamp");
      if (finishedOn != null) await queue.remove(id);
      const add = async () => {
        const data = { ...job, ...tracing.carried() };
        assertSmall(data);
        await queue.add(capability.name, data, { ...jobOptions(capability, job), ...extra });
      };
      // Added even if it waits already: a child that an earlier parent left behind learns of its parent so. That sends nothing.
      const isOnItsWay = finishedOn == null && addedOn != null;
      if (isOnItsWay) await add();
      else await tracing.span(sendSpan({ destination: capability.name, id, runId: job.run_id }), add);
    },
    async hurry(capability, { run_id, step_id, generation }) {
      const waiting = await of(capability).getJob(jobId(run_id, step_id, generation));
      // Another may have done the same, or the time may have come.
      if ((await waiting?.isDelayed()) === true) await waiting?.promote().catch(() => undefined);
    },
    async close() {
      await Promise.all([...queues.values()].map((queue) => queue.close().catch(() => undefined)));
    },
  };
}
