import { randomUUID } from "node:crypto";
import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";
import type { Redis } from "ioredis";
import { abandon, keyPrefix } from "./connection.ts";
import { comparePositions } from "./event-position.ts";

/** An entry of a stream as Redis has it: its id, and its fields and values in turn. */
type StreamEntry = readonly [id: string, fields: readonly string[]];

/** Reads any number of streams over one connection. */
export interface EventHub {
  /**
   * The entries of a stream after an id (`0` is the beginning, `$` is now), in the batches in which they come, until the
   * signal aborts. What Redis had while it was away from us is told when it is back. Whoever takes them slowly holds up
   * nobody: no more than one batch is read ahead.
   */
  follow(stream: string, after: string, signal: AbortSignal): AsyncGenerator<readonly StreamEntry[]>;
}

/** Entries of one stream that are read at once. */
const batch = 100;

/** How long a read waits, when it counts as lost, and the pause after one that failed; milliseconds. */
const blockMs = 5_000;
const readTimeoutMs = 15_000;
const retryMs = 500;

/** How long the stream outlives its last entry by which a reader is woken, in seconds. */
const wakeSeconds = 60;

interface Waiter {
  after: string;
  give(entries: readonly StreamEntry[]): void;
}

/** What a read asks for: the positions of the streams. */
interface Asked {
  positions: ReadonlyMap<string, string>;
  /** Whether it has been told to return, since somebody waits for what it does not ask for. */
  woken: boolean;
}

function isAfter(id: string, other: string): boolean {
  return comparePositions(id, other) > 0;
}

/** What the work answers, or null once the signal aborts: an answer may take as long as Redis is away. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const stop = () => resolve(null);
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/**
 * Opens a hub; its connection is there while somebody follows a stream. A read under way cannot be given further streams, so
 * each hub has a small stream of its own by which its reads are made to return.
 * @param connection stays the caller's
 */
export function createEventHub(connection: Redis): EventHub {
  const wakeStream = `${keyPrefix}:events:wake:${randomUUID()}`;
  const waiting = new Map<string, Set<Waiter>>();
  let followers = 0;
  let reader: Redis | null = null;
  let asked: Asked | null = null;
  let somebodyWaits = Promise.withResolvers<void>();
  let lastWake = "0";

  function wake(): void {
    connection
      .multi()
      .xadd(wakeStream, "MAXLEN", "~", 1, "*", "wake", "")
      .expire(wakeStream, wakeSeconds)
      .exec()
      .catch(() => undefined);
  }

  function leave(stream: string, waiter: Waiter): void {
    const others = waiting.get(stream);
    others?.delete(waiter);
    if (others?.size === 0) waiting.delete(stream);
  }

  function next(stream: string, after: string, signal: AbortSignal): Promise<readonly StreamEntry[]> {
    const { promise, resolve } = Promise.withResolvers<readonly StreamEntry[]>();
    if (signal.aborted) return Promise.resolve([]);
    const waiter: Waiter = {
      after,
      give(entries) {
        leave(stream, waiter);
        signal.removeEventListener("abort", stop);
        resolve(entries);
      },
    };
    const stop = () => waiter.give([]);
    signal.addEventListener("abort", stop, { once: true });
    waiting.set(stream, (waiting.get(stream) ?? new Set()).add(waiter));
    somebodyWaits.resolve();
    const position = asked?.positions.get(stream);
    if (asked !== null && !asked.woken && (position === undefined || isAfter(position, after))) {
      asked.woken = true;
      wake();
    }
    return promise;
  }

  /** Every stream that somebody waits for, from where the one waits who has had the least of it. */
  function positions(): Map<string, string> {
    const least = new Map<string, string>();
    for (const [stream, waiters] of waiting) {
      for (const { after } of waiters) {
        const known = least.get(stream);
        if (known === undefined || isAfter(known, after)) least.set(stream, after);
      }
    }
    return least;
  }

  function deliver(stream: string, entries: readonly StreamEntry[]): void {
    if (stream === wakeStream) {
      lastWake = entries.at(-1)?.[0] ?? lastWake;
      return;
    }
    for (const waiter of [...(waiting.get(stream) ?? [])]) {
      const fresh = entries.filter(([id]) => isAfter(id, waiter.after));
      if (fresh.length > 0) waiter.give(fresh);
    }
  }

  async function readOnce(from: Redis): Promise<void> {
    const now = positions();
    const question: Asked = { positions: now, woken: false };
    asked = question;
    const streams = [wakeStream, ...now.keys(), lastWake, ...now.values()];
    try {
      const reply = await from.xread("COUNT", batch, "BLOCK", blockMs, "STREAMS", ...streams);
      for (const [stream, entries] of reply ?? []) deliver(stream, entries);
    } catch {
      if (reader === from) await pause(retryMs);
    } finally {
      if (asked === question) asked = null;
    }
  }

  /** Reads until nobody follows anything any more; whoever comes later has a reader of their own. */
  async function readOn(): Promise<void> {
    const mine = connection.duplicate({ maxRetriesPerRequest: null, commandTimeout: readTimeoutMs });
    mine.on("error", () => undefined);
    reader = mine;
    while (reader === mine) {
      if (waiting.size === 0) {
        somebodyWaits = Promise.withResolvers();
        await somebodyWaits.promise;
      } else {
        await readOnce(mine);
        // Most followers ask on at once: then the next read has them all, and need not be woken.
        await turn();
      }
    }
  }

  /** The id of the newest entry, as soon as Redis answers. */
  async function newest(stream: string, signal: AbortSignal): Promise<string> {
    while (!signal.aborted) {
      try {
        const asking = connection.xrevrange(stream, "+", "-", "COUNT", 1);
        return (await orAborted(asking, signal))?.[0]?.[0] ?? "0";
      } catch {
        await pause(retryMs, undefined, { signal }).catch(() => undefined);
      }
    }
    return "0";
  }

  function come(): void {
    followers += 1;
    if (reader === null) void readOn();
  }

  function go(): void {
    followers -= 1;
    if (followers > 0 || reader === null) return;
    abandon(reader);
    reader = null;
    somebodyWaits.resolve();
  }

  return {
    async *follow(stream, after, signal) {
      const done = new AbortController();
      const until = AbortSignal.any([signal, done.signal]);
      // A follower that is left standing at an entry never comes to its end.
      const leave = () => {
        if (done.signal.aborted) return;
        done.abort();
        go();
      };
      come();
      signal.addEventListener("abort", leave, { once: true });
      if (signal.aborted) leave();
      try {
        let last = after === "$" ? await newest(stream, signal) : after;
        let coming = next(stream, last, until);
        while (!signal.aborted) {
          const entries = await coming;
          last = entries.at(-1)?.[0] ?? last;
          coming = next(stream, last, until);
          if (entries.length > 0) yield entries;
        }
      } finally {
        signal.removeEventListener("abort", leave);
        leave();
      }
    },
  };
}
