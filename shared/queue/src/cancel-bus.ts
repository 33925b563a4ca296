import type { Redis } from "ioredis";
import { keyPrefix } from "./connection.ts";

const channel = `${keyPrefix}:cancel`;

export interface CancelBus {
  /** Tells every worker to abort what it does for the run. Those that are away learn it from the ledger. */
  cancel(runId: string): Promise<void>;
  onCancel(listener: (runId: string) => void): void;
  close(): void;
}

/** Cancellation across processes, over a subscriber connection of its own. */
export function createCancelBus(connection: Redis): CancelBus {
  const subscriber = connection.duplicate({ maxRetriesPerRequest: null });
  const listeners = new Set<(runId: string) => void>();
  subscriber.on("error", () => undefined);
  subscriber.on("message", (_channel: string, runId: string) => {
    for (const listener of listeners) listener(runId);
  });
  subscriber.subscribe(channel).catch(() => undefined);

  return {
    async cancel(runId) {
      await connection.publish(channel, runId);
    },
    onCancel(listener) {
      listeners.add(listener);
    },
    close() {
      subscriber.disconnect();
    },
  };
}
