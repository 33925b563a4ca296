import type { Logger } from "@proofroom/telemetry";
import { Redis } from "ioredis";

/** Every key of Proofroom in Redis starts with this; the braces keep them on one shard of a cluster. */
export const keyPrefix = "{proofroom}";

export interface ConnectionOptions {
  /** `redis://…`, `rediss://…`, or the path of a unix socket. */
  url: string;
  /**
   * `producer`: adds jobs and answers people, so it fails fast when Redis is away.
   * `worker`: waits for Redis for as long as it takes.
   */
  role: "producer" | "worker";
  log: Logger;
}

/** Opens a connection; it connects by itself and again after each loss. The caller owns it and closes it. */
export function connect(options: ConnectionOptions): Redis {
  const patient = options.role === "worker";
  const connection = new Redis(options.url, {
    maxRetriesPerRequest: patient ? null : 1,
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 5), 1_000),
    // Above the ten seconds of a blocking read: a half-open socket says nothing, and would never be noticed.
    socketTimeout: 15_000,
    connectTimeout: 5_000,
    // A command that was under way when the connection broke is out of the reach of maxRetriesPerRequest.
    ...(patient ? {} : { commandTimeout: 5_000 }),
    reconnectOnError: (error) => /^(READONLY|LOADING|UNBLOCKED)/.test(error.message),
  });
  connection.on("error", (error: Error) => options.log.debug({ err: error.message }, "redis connection"));
  return connection;
}

/**
 * Ends a connection at once, whatever its state, and rejects what still waits for an answer. Between two attempts to
 * connect ioredis would leave that unanswered for ever; an attempt that is given up as soon as it begins rejects it.
 */
export function abandon(connection: Redis): void {
  connection.disconnect();
  if (connection.status !== "reconnecting") return;
  connection.connect().catch(() => undefined);
  connection.disconnect();
}

/** How long a server may take to say goodbye, in milliseconds: behind a half-open socket it never does. */
const farewellMs = 1_000;

/** Closes without waiting for a server that is away. */
export async function disconnect(connection: Redis): Promise<void> {
  if (connection.status === "ready") {
    const timer = setTimeout(() => connection.disconnect(), farewellMs);
    await connection.quit().catch(() => undefined);
    clearTimeout(timer);
  }
  abandon(connection);
}
