import type { Wait } from "./wait.ts";

/** Lets work in one piece after another, with a pause between. */
export interface Turns {
  /** @throws the signal's reason while the turn has not come, or what the work throws */
  take<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** @param gapMs between the end of one piece of work and the beginning of the next */
export function createTurns(gapMs: number, wait: Wait): Turns {
  let last: Promise<void> = Promise.resolve();
  return {
    async take(work, signal) {
      const before = last;
      const done = Promise.withResolvers<void>();
      last = done.promise;
      try {
        await orAborted(before, signal);
      } catch (error) {
        // Whoever comes next still waits for the one before.
        void before.then(done.resolve);
        throw error;
      }
      try {
        return await work();
      } finally {
        void wait(gapMs).then(done.resolve);
      }
    },
  };
}

function orAborted(turn: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<void>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  return Promise.race([turn, aborted.promise]).finally(() => signal.removeEventListener("abort", abort));
}
