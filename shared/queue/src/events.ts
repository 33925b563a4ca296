import { setTimeout as pause } from "node:timers/promises";
import { type NewRunEvent, type RunEvent, runEventSchema } from "@proofroom/contracts";
import type { Logger } from "@proofroom/telemetry";
import type { Redis } from "ioredis";
import { keyPrefix } from "./connection.ts";

function streamOf(runId: string): string {
  return `${keyPrefix}:events:${runId}`;
}

/** Events kept per run, and for how long after the last one, in seconds. */
const kept = 10_000;
const keptSeconds = 7 * 24 * 3_600;

/** Events that may wait for Redis; those beyond are dropped: a long outage must not fill the memory. */
const waiting = 1_000;

/** Pause after a read that failed, in milliseconds. */
const retryMs = 500;

function parseEvent(id: string, body: string | undefined): RunEvent | null {
  try {
    const event = runEventSchema.safeParse({ ...JSON.parse(body ?? "null"), id });
    return event.success ? event.data : null;
  } catch {
    return null;
  }
}

export interface EventLog {
  /** Adds an event. Never waits and never fails: a run goes on without spectators, and the ledger is the truth. */
  publish(event: NewRunEvent): void;
  /** Events after the id `after` (`0` is the beginning, `$` is now), as they come, until the signal aborts. */
  follow(runId: string, after: string, signal: AbortSignal): AsyncIterable<RunEvent>;
  /** The id of the run's newest event, from which what comes next can be followed; Redis's clock need not be ours. */
  position(runId: string): Promise<string>;
  /** Waits until what was published has been handed to Redis, or the time is over. */
  flush(timeoutMs: number): Promise<void>;
}

/** The event log of all runs: one Redis stream each. Ids are Redis's own, by time, so that they rise after a loss too. */
export function createEventLog(connection: Redis, log: Logger): EventLog {
  const pending = new Set<Promise<unknown>>();

  return {
    publish(event) {
      if (pending.size >= waiting) return;
      const stream = streamOf(event.run_id);
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

    async position(runId) {
      return (await connection.xrevrange(streamOf(runId), "+", "-", "COUNT", 1))[0]?.[0] ?? "0";
    },

    async flush(timeoutMs) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, timeoutMs);
      });
      await Promise.race([Promise.allSettled(pending), late]);
      clearTimeout(timer);
    },

    async *follow(runId, after, signal) {
      const reader = connection.duplicate({ maxRetriesPerRequest: null });
      reader.on("error", () => undefined);
      const stop = () => reader.disconnect();
      signal.addEventListener("abort", stop, { once: true });
      let last = after;
      try {
        while (!signal.aborted) {
          const reply = await reader
            .xread("COUNT", 100, "BLOCK", 5_000, "STREAMS", streamOf(runId), last)
            .catch(() => pause(retryMs, null, { signal }).catch(() => null));
          for (const [id, fields] of reply?.[0]?.[1] ?? []) {
            last = id;
            const event = parseEvent(id, fields[1]);
            if (event !== null) yield event;
          }
        }
      } finally {
        signal.removeEventListener("abort", stop);
        reader.disconnect();
      }
    },
  };
}
