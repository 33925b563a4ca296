import { type Capability, isProofroomError, ProofroomError } from "@proofroom/contracts";
import type { Redis } from "ioredis";
import { createQueuePool } from "./queue-pool.ts";
import type { StepJob } from "./step-job.ts";

export interface Producer {
  /**
   * Makes sure that the job is on its way, once.
   * @throws ProofroomError dependency_down when Redis is away
   */
  submit(capability: Capability, job: StepJob): Promise<void>;
  close(): Promise<void>;
}

async function reaching<T>(connection: Redis, work: () => Promise<T>): Promise<T> {
  try {
    // BullMQ waits for a first connection for ever, whatever the connection says of its patience.
    if (connection.status !== "ready") await connection.ping();
    return await work();
  } catch (error) {
    if (isProofroomError(error)) throw error;
    const full = error instanceof Error && error.message.includes("OOM ");
    throw new ProofroomError({
      code: "dependency_down",
      message: full ? "The queue (Redis) is full." : "The queue (Redis) cannot be reached.",
      remedy: full
        ? "Raise Redis's maxmemory; what is queued is kept. Then resume the run."
        : "Check REDIS_URL and that Redis is up; then resume the run.",
      cause: error,
    });
  }
}

/** Puts jobs into the queues over the connection given, which stays the caller's. */
export function createProducer(connection: Redis): Producer {
  const pool = createQueuePool(connection);
  return {
    submit: (capability, job) => reaching(connection, () => pool.ensure(capability, job)),
    close: () => pool.close(),
  };
}
