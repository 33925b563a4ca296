import { isProofroomError, ProofroomError, toProofroomError } from "@proofroom/contracts";
import type { Redis } from "ioredis";

/** Whether Redis was reached, and one of BullMQ's scripts found that it cannot be done: those errors have a number. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && typeof (error as { code?: unknown }).code === "number";
}

/**
 * Does something in Redis.
 * @throws ProofroomError dependency_down when Redis is away or full; internal where what is asked for cannot be done
 */
export async function reaching<T>(connection: Redis, work: () => Promise<T>): Promise<T> {
  try {
    // BullMQ waits for a first connection for ever, whatever the connection says of its patience.
    if (connection.status !== "ready") await connection.ping();
    return await work();
  } catch (error) {
    if (isProofroomError(error) || isRefusal(error)) throw toProofroomError(error);
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
