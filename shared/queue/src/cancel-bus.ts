import type { Redis } from "ioredis";
import { abandon, keyPrefix } from "./connection.ts";
import { reaching } from "./reaching.ts";

const channel = `${keyPrefix}:cancel`;

/** A subscriber has nothing to wait for, so a half-open socket shows only if it is asked something, so often (ms). */
const askEvery = 10_000;

export interface CancelBus {
  /**
   * Tells every worker to abort what the word names: a run, or a job of one. Those that are away learn it from the ledger.
   * @throws ProofroomError dependency_down when Redis is away
   */
  cancel(word: string): Promise<void>;
  onCancel(listener: (word: string) => void): void;
  /** Called when the connection is back after a loss: word of a cancel may have been missed meanwhile. */
  onGap(listener: () => void): void;
  close(): void;
}

/** Cancellation across processes, over a subscriber connection of its own. */
export function createCancelBus(connection: Redis): CancelBus {
  const subscriber = connection.duplicate({
    maxRetriesPerRequest: null,
    // ioredis would subscribe again by itself, in a promise that is nobody's: it rejects, unhandled, if the connection
    // is lost or closed meanwhile, and that ends the process.
    autoResubscribe: false,
    autoResendUnfulfilledCommands: false,
    // Longer than the socket's patience: what is not answered ends the connection, and the next one subscribes.
    commandTimeout: 2 * askEvery,
  });
  const listeners = new Set<(word: string) => void>();
  const gapListeners = new Set<() => void>();
  let subscribed = false;
  subscriber.on("error", () => undefined);
  subscriber.on("message", (_channel: string, word: string) => {
    for (const listener of listeners) listener(word);
  });
  function hear(): void {
    if (subscribed) for (const listener of gapListeners) listener();
    subscribed = true;
  }
  // What cannot be subscribed to now is when the connection is there again.
  subscriber.on("ready", () => void subscriber.subscribe(channel).then(hear, () => undefined));
  const timer = setInterval(() => {
    if (subscriber.status === "ready") subscriber.ping().catch(() => undefined);
  }, askEvery);
  timer.unref();

  return {
    async cancel(word) {
      await reaching(connection, () => connection.publish(channel, word));
    },
    onCancel(listener) {
      listeners.add(listener);
    },
    onGap(listener) {
      gapListeners.add(listener);
    },
    close() {
      clearInterval(timer);
      abandon(subscriber);
    },
  };
}
