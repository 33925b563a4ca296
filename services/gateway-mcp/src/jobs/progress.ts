/** The progress of one call, under the client's own token. */
export interface Progress {
  /** Sends a message; each counts one more than the last. Messages that follow too closely are left out. */
  say(message: string): void;
  /** Says nothing any more, and waits for what was said to be handed over: nothing may follow the response. */
  close(): Promise<void>;
}

/** Messages come at most this often, in milliseconds. */
const interval = 250;

/**
 * @param send hands one message to the client; its failure is nobody's concern: the result counts
 * @param signal the call's: a client that is gone is not waited for
 */
export function openProgress(
  send: (update: { progress: number; message: string }) => Promise<void>,
  signal: AbortSignal,
): Progress {
  let count = 0;
  let told = Number.NEGATIVE_INFINITY;
  let closed = false;
  let last: Promise<void> = Promise.resolve();
  return {
    say(message) {
      const now = performance.now();
      if (closed || signal.aborted || now - told < interval) return;
      told = now;
      count += 1;
      const update = { progress: count, message };
      last = last.then(() => send(update)).catch(() => undefined);
    },
    async close() {
      closed = true;
      if (signal.aborted) return;
      const gone = Promise.withResolvers<void>();
      const leave = () => gone.resolve();
      signal.addEventListener("abort", leave, { once: true });
      await Promise.race([last, gone.promise]);
      signal.removeEventListener("abort", leave);
    },
  };
}
