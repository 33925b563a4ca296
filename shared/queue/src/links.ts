import type { Tracing } from "@proofroom/telemetry";
import { type CancelBus, createCancelBus } from "./cancel-bus.ts";
import { type ConnectionOptions, connect, disconnect } from "./connection.ts";
import { createEventLog, type EventLog } from "./events.ts";
import { createProducer, type Producer } from "./producer.ts";

/** All that a process has open on Redis beside its workers. */
export interface QueueLinks {
  readonly connection: ReturnType<typeof connect>;
  readonly producer: Producer;
  readonly bus: CancelBus;
  readonly events: EventLog;
  /** After whatever works with it has closed. */
  close(): Promise<void>;
}

/** How long word of what happened may take to reach Redis on the way out, in milliseconds. */
const flushMs = 1_000;

/**
 * Opens a connection and what every process has on it. Redis may be away.
 * @throws ProofroomError invalid_input for what is no address
 */
export function openLinks(options: ConnectionOptions & { tracing?: Tracing | undefined }): QueueLinks {
  const connection = connect(options);
  const producer = createProducer(connection, options.tracing);
  const bus = createCancelBus(connection);
  const events = createEventLog(connection, options.log);
  return {
    connection,
    producer,
    bus,
    events,
    async close() {
      await events.flush(flushMs);
      bus.close();
      await producer.close();
      await disconnect(connection);
    },
  };
}
