import type { Logger } from "@proofroom/telemetry";
import { Redis } from "ioredis";
import { placeOf, type RedisAddress } from "./redis-address.ts";

/** Every key of Proofroom in Redis starts with this; the braces keep them on one shard of a cluster. */
export const keyPrefix = "{proofroom}";

export interface ConnectionOptions extends RedisAddress {
  /**
   * `producer`: adds jobs and answers people, so it fails fast when Redis is away.
   * `worker`: waits for Redis for as long as it takes.
   */
  role: "producer" | "worker";
  log: Logger;
}

/** How long to wait before an attempt to connect, in milliseconds. */
function pauseBefore(times: number): number {
  return Math.min(50 * 2 ** Math.min(times, 5), 1_000);
}

/** How long a Sentinel may take to say who the master is, in milliseconds: then the next one is asked. */
const sentinelPatience = 3_000;

/**
 * Opens a connection; it connects by itself and again after each loss, behind Sentinels to whoever is the master then. The caller
 * owns it and closes it.
 * @throws ProofroomError invalid_input for what is no address
 */
export function connect(options: ConnectionOptions): Redis {
  const patient = options.role === "worker";
  const connection = new Redis({
    ...placeOf(options),
    sentinelCommandTimeout: sentinelPatience,
    // An attempt in which no Sentinel helped would otherwise be the last.
    sentinelRetryStrategy: pauseBefore,
    maxRetriesPerRequest: patient ? null : 1,
    retryStrategy: pauseBefore,
    // Above the ten seconds of a blocking read: a half-open socket says nothing, and would never be noticed.
    socketTimeout: 15_000,
    connectTimeout: 5_000,
    // A command that was under way when the connection broke is out of the reach of maxRetriesPerRequest.
    ...(patient ? {} : { commandTimeout: 5_000 }),
    reconnectOnError: (error) => /^(READONLY|LOADING|UNBLOCKED)/.test(error.message),
  });
  let told = false;
  connection.on("error", (error: Error) => {
    // The first of an outage says why; all the others say the same.
    options.log[told ? "debug" : "warn"]({ err: error.message }, "redis connection");
    told = true;
  });
  connection.on("ready", () => {
    if (told) options.log.info("redis connection is back");
    told = false;
  });
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
