import { catalog } from "@proofroom/contracts";
import type { Queue } from "bullmq";
import type { Redis } from "ioredis";
import { createQueuePool } from "./queue-pool.ts";
import { reaching } from "./reaching.ts";
import type { StepJob } from "./step-job.ts";

/** The queues themselves, for a dashboard to show. */
export interface QueueBoard {
  /**
   * BullMQ's queue of every capability.
   * @throws ProofroomError dependency_down when Redis is away: BullMQ would wait for it
   */
  queues(): Promise<readonly Queue<StepJob>[]>;
  close(): Promise<void>;
}

/** Opens the queues when they are first asked for, over the connection given, which stays the caller's. */
export function createQueueBoard(connection: Redis): QueueBoard {
  const pool = createQueuePool(connection);
  return {
    queues: () => reaching(connection, async () => catalog.map((capability) => pool.of(capability))),
    close: () => pool.close(),
  };
}
