import { type NewRunEvent, type RunEvent, runEventSchema } from "@proofroom/contracts";
import type { Logger } from "@proofroom/telemetry";
import type { Redis } from "ioredis";
import { keyPrefix } from "./connection.ts";
import { createEventHub } from "./event-hub.ts";
import { reaching } from "./reaching.ts";

function streamOf(name: string): string {
  return `${keyPrefix}:events:${name}`;
}

/** Events kept per run, and for how long after the last one, in seconds. */
const kept = 10_000;
const keptSeconds = 7 * 24 * 3_600;

/** Events that may wait for Redis; those beyond are dropped: a long outage must not fill the memory. */
const waiting = 1_000;

function parseEvent(id: string, body: string | undefined): RunEvent | null {
  try {
    const event = runEventSchema.safeParse({ ...JSON.parse(body ?? "null"), id });
    return event.success ? event.data : null;
  } catch {
    return null;
  }
}

export interface EventLog {
  /**
   * Adds an event to its run's log, or to the log of a tenant: the one in which it is told that the tenant has a new run.
   * Never waits and never fails: a run goes on without spectators, and the ledger is the truth.
   */
  publish(event: NewRunEvent, tenant?: string): void;
  /**
   * Events of a run, or of a tenant, after the id `after` (`0` is the beginning, `$` is now), as they come, until the signal
   * aborts. All of a process's followers share one connection.
   */
  follow(name: string, after: string, signal: AbortSignal): AsyncIterable<RunEvent>;
  /**
   * The id of a log's newest event, from which what comes next can be followed; Redis's clock need not be ours.
   * @throws ProofroomError dependency_down when Redis is away
   */
  position(name: string): Promise<string>;
  /** Waits until what was published has been handed to Redis, or the time is over. */
  flush(timeoutMs: number): Promise<void>;
}

/** The event log of all runs and tenants: one Redis stream each. Ids are Redis's own, by time, so that they rise after a loss too. */
export function createEventLog(connection: Redis, log: Logger): EventLog {
  const pending = new Set<Promise<unknown>>();
  const hub = createEventHub(connection);

  return {
    publish(event, tenant) {
      if (pending.size >= waiting) return;
      const stream = streamOf(tenant ?? event.run_id);
      const body = JSON.stringify({ ...event, v: 1, at: new Date().toISOString() });
      const work = connection
        .multi()
        .xadd(stream, "MAXLEN", "~", kept, "*", "event", body)
        .expire(stream, keptSeconds)
        .exec()
        .catch((error: Error) => log.debug({ err: error.message }, "event not published"))
        .finally(() => pending.delete(work));
      pending.add(work);
    },

    async position(name) {
      const newest = () => connection.xrevrange(streamOf(name), "+", "-", "COUNT", 1);
      return (await reaching(connection, newest))[0]?.[0] ?? "0";
    },

    async flush(timeoutMs) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, timeoutMs);
      });
      await Promise.race([Promise.allSettled(pending), late]);
      clearTimeout(timer);
    },

    async *follow(name, after, signal) {
      for await (const entries of hub.follow(streamOf(name), after, signal)) {
        for (const [id, fields] of entries) {
          const event = parseEvent(id, fields[1]);
          if (event !== null) yield event;
        }
      }
    },
  };
}
