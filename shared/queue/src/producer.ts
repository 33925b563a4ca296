import type { Capability } from "@proofroom/contracts";
import type { Redis } from "ioredis";
import { createQueuePool } from "./queue-pool.ts";
import { reaching } from "./reaching.ts";
import type { StepJob } from "./step-job.ts";

export interface Producer {
  /**
   * Makes sure that the job is on its way, once.
   * @param how `now`: it does not wait for its time, if it has one
   * @throws ProofroomError dependency_down when Redis is away
   */
  submit(capability: Capability, job: StepJob, how?: { now?: boolean }): Promise<void>;
  close(): Promise<void>;
}

/** Puts jobs into the queues over the connection given, which stays the caller's. */
export function createProducer(connection: Redis): Producer {
  const pool = createQueuePool(connection);
  return {
    submit: (capability, job, how) =>
      reaching(connection, async () => {
        await pool.ensure(capability, job);
        if (how?.now === true) await pool.hurry(capability, job);
      }),
    close: () => pool.close(),
  };
}
