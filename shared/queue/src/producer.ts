import type { Capability } from "@proofroom/contracts";
import type { Tracing } from "@proofroom/telemetry";
import type { Redis } from "ioredis";
import { createQueuePool } from "./queue-pool.ts";
import { reaching } from "./reaching.ts";
import type { StepJob } from "./step-job.ts";

interface SubmitHow {
  now?: boolean;
  children?: readonly { capability: Capability; step_id: string; generation: number }[];
}

export interface Producer {
  /**
   * Makes sure that the job is on its way, once.
   * @param how `now`: it does not wait for its time, if it has one, nor do those of its children that are named
   * @throws ProofroomError dependency_down when Redis is away
   */
  submit(capability: Capability, job: StepJob, how?: SubmitHow): Promise<void>;
  close(): Promise<void>;
}

/** Puts jobs into the queues over the connection given, which stays the caller's. */
export function createProducer(connection: Redis, tracing?: Tracing): Producer {
  const pool = createQueuePool(connection, tracing);
  return {
    submit: (capability, job, how) =>
      reaching(connection, async () => {
        await pool.ensure(capability, job);
        if (how?.now !== true) return;
        await pool.hurry(capability, job);
        for (const { capability: of, ...child } of how.children ?? [])
          await pool.hurry(of, { run_id: job.run_id, ...child });
      }),
    close: () => pool.close(),
  };
}
