import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { hasCode } from "./failures.ts";
import type { ObjectStore } from "./store.ts";

export interface WriteWatch {
  /** Resolves when it was tried for the first time. */
  readonly tried: Promise<void>;
  /** Why nothing can be kept at the moment; nothing where it can. */
  obstacles(): string[];
  stop(): void;
}

export interface WriteWatchOptions {
  /** How often it is tried, and how long that may take; milliseconds. */
  everyMs?: number;
  patienceMs?: number;
}

const usualEveryMs = 15_000;
const usualPatienceMs = 5_000;

/** A full disk still takes an empty file. */
const body = new Uint8Array(4_096);

/**
 * Tries from time to time whether the store can be written to: reading says nothing of one that is full, or read-only. Nothing of
 * what it writes stays, no versions either: it is tried thousands of times a day, by every process.
 */
export function watchWrites(store: ObjectStore, options: WriteWatchOptions = {}): WriteWatch {
  const { everyMs = usualEveryMs, patienceMs = usualPatienceMs } = options;
  const key = `probes/${hostname()}-${process.pid}`;
  const stopping = new AbortController();
  let obstacle: string | null = "store: not tried yet";

  async function write(signal: AbortSignal): Promise<void> {
    if (store.tryWriting !== undefined) return store.tryWriting(key, body, { signal });
    try {
      await store.create(key, body, { signal });
    } catch (error) {
      // Left by a process that was killed: that it can be deleted says as much.
      if (!hasCode(error, "conflict")) throw error;
    }
    await store.delete(key, { signal });
  }

  /** A store that hangs does not listen to signals. */
  async function works(): Promise<boolean> {
    const end = new AbortController();
    const signal = AbortSignal.any([end.signal, stopping.signal]);
    const late = pause(patienceMs, false, { signal }).catch(() => false);
    const written = write(signal).then(
      () => true,
      () => false,
    );
    const answer = await Promise.race([written, late]);
    end.abort();
    return answer;
  }

  const first = Promise.withResolvers<void>();

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      obstacle = (await works()) ? null : "store: cannot be written to";
      first.resolve();
      await pause(everyMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  }

  void watch();
  return {
    tried: first.promise,
    obstacles: () => (obstacle === null ? [] : [obstacle]),
    stop: () => stopping.abort(),
  };
}
