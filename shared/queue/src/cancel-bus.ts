import type { Redis } from "ioredis";
import { keyPrefix } from "./connection.ts";

const channel = `${keyPrefix}:cancel`;

/** A subscriber has nothing to wait for, so a half-open socket shows only if it is asked something, so often (ms). */
const askEvery = 10_000;

export interface CancelBus {
  /** Tells every worker to abort what it does for the run. Those that are away learn it from the ledger. */
  cancel(runId: string): Promise<void>;
  onCancel(listener: (runId: string) => void): void;
  /** Called when the connection is back after a loss: word of a cancel may have been missed meanwhile. */
  onGap(listener: () => void): void;
  close(): void;
}

/** Cancellation across processes, over a subscriber connection of its own. */
export function createCancelBus(connection: Redis): CancelBus {
  const subscriber = connection.duplicate({ maxRetriesPerRequest: null });
  const listeners = new Set<(runId: string) => void>();
  const gapListeners = new Set<() => void>();
  let connected = false;
  subscriber.on("error", () => undefined);
  subscriber.on("message", (_channel: string, runId: string) => {
    for (const listener of listeners) listener(runId);
  });
  subscriber.on("ready", () => {
    if (connected) for (const listener of gapListeners) listener();
    connected = true;
  });
  subscriber.subscribe(channel).catch(() => undefined);
  const timer = setInterval(() => {
    if (subscriber.status === "ready") subscriber.ping().catch(() => undefined);
  }, askEvery);
  timer.unref();

  return {
    async cancel(runId) {
      await connection.publish(channel, runId);
    },
    onCancel(listener) {
      listeners.add(listener);
    },
    onGap(listener) {
      gapListeners.add(listener);
    },
    close() {
      clearInterval(timer);
      subscriber.disconnect();
    },
  };
}
