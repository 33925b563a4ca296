import { setTimeout as pause } from "node:timers/promises";
import type { RunEvent } from "@proofroom/contracts";
import { comparePositions, type EventLog } from "@proofroom/queue";

/** What a watcher is told: an event, that events are missing before the next one, or that there is nothing to tell. */
export type Watched = { kind: "event"; event: RunEvent } | { kind: "gap"; id?: string } | { kind: "silence" };

/** The position of a log that holds nothing, and the one that a client is left at which was told so. */
const nothing = "0";
const afterNothing = "0-1";

export interface WatchOptions {
  events: EventLog;
  runId: string;
  /** The last event that the client has had; null where it begins. */
  after: string | null;
  /** Whether the run has come to its end, as the ledger has it. */
  hasEnded(): Promise<boolean>;
  /** How often silence is told, in milliseconds. */
  heartbeatMs: number;
  signal: AbortSignal;
}

/** The id of the oldest event that is kept. */
async function oldest(events: EventLog, runId: string, signal: AbortSignal): Promise<string | null> {
  for await (const { id } of events.follow(runId, nothing, signal)) return id;
  return null;
}

/** Whether the client has had everything that there will be. @throws ProofroomError dependency_down */
export async function isComplete(options: Pick<WatchOptions, "events" | "runId" | "after" | "hasEnded">) {
  const { after } = options;
  if (after === null || !(await options.hasEnded())) return false;
  const newest = await options.events.position(options.runId);
  return newest === after || (newest === nothing && after === afterNothing);
}

/** Where to begin, and whether events between there and what the client has had are lost. */
async function begin({
  events,
  runId,
  after,
  signal,
}: WatchOptions): Promise<{ from: string; gap: boolean }> {
  if (after === null) return { from: nothing, gap: false };
  const newest = await events.position(runId);
  if (after === afterNothing) return { from: nothing, gap: false };
  if (newest === nothing || comparePositions(newest, after) < 0) return { from: nothing, gap: true };
  const first = await oldest(events, runId, signal);
  return { from: after, gap: first !== null && comparePositions(first, after) > 0 };
}

/**
 * The events of a run after a position, until it has ended or the signal aborts. They come from the log that all replicas
 * share; where the log no longer holds what follows the position, a gap is told before the next event.
 */
export async function* watchRun(options: WatchOptions): AsyncGenerator<Watched> {
  const { events, runId, hasEnded, heartbeatMs } = options;
  const { from, gap } = await begin(options);
  if (from === nothing && (await events.position(runId)) === nothing && (await hasEnded())) {
    yield { kind: "gap", id: afterNothing };
    return;
  }
  if (gap) yield { kind: "gap" };
  const done = new AbortController();
  const signal = AbortSignal.any([options.signal, done.signal]);
  const isLast = async (id: string) => (await events.position(runId)) === id && (await hasEnded());
  const log = events.follow(runId, from, signal)[Symbol.asyncIterator]();
  let last = from;
  let silentEnd = false;
  try {
    let next = log.next();
    while (!signal.aborted) {
      const waiting = new AbortController();
      const silence = pause(heartbeatMs, null, { signal: waiting.signal }).catch(() => null);
      const result = await Promise.race([next, silence]);
      waiting.abort();
      if (result === null) {
        // The word of the end can be lost; the ledger's is not. It can also be on its way: then it is here by the next silence.
        const ended = await isLast(last).catch(() => false);
        if (ended && silentEnd) return;
        silentEnd = ended;
        yield { kind: "silence" };
        continue;
      }
      silentEnd = false;
      if (result.done === true) return;
      last = result.value.id;
      yield { kind: "event", event: result.value };
      if (result.value.type === "run.finished" && (await isLast(last).catch(() => false))) return;
      next = log.next();
    }
  } finally {
    done.abort();
    // One that has told its last event would never notice the abort.
    await log.return?.();
  }
}
