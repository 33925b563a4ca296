import type { ObjectStore } from "@proofroom/artifacts";
import {
  connect,
  createCancelBus,
  createEventLog,
  createProducer,
  createQueueBoard,
  createQueueInspector,
  disconnect,
  type EventLog,
} from "@proofroom/queue";
import { indexRuns } from "@proofroom/runtime/records";
import { silentLogger } from "@proofroom/telemetry";
import type { FastifyInstance } from "fastify";
import { buildApp } from "../app.ts";
import type { AppDeps } from "../deps.ts";

export interface LiveGateway {
  readonly app: FastifyInstance;
  readonly url: string;
  readonly events: EventLog;
  close(): Promise<void>;
}

/** A gateway on a port of its own, as it is in use: with a real Redis, on the store given. */
export async function liveGateway(
  options: { store: ObjectStore; redisUrl: string },
  changes: (events: EventLog) => Partial<AppDeps> = () => ({}),
): Promise<LiveGateway> {
  const log = silentLogger();
  await indexRuns(options.store);
  const connection = connect({ url: options.redisUrl, role: "producer", log });
  const producer = createProducer(connection);
  const bus = createCancelBus(connection);
  const events = createEventLog(connection, log);
  const board = createQueueBoard(connection);
  const app = await buildApp({
    store: options.store,
    producer,
    bus,
    events,
    log,
    auth: { keys: [], host: "127.0.0.1" },
    now: () => new Date(),
    heartbeatMs: 100,
    inspector: createQueueInspector(connection),
    board,
    ...changes(events),
  });
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  return {
    app,
    url,
    events,
    async close() {
      await app.close();
      await board.close();
      await producer.close();
      bus.close();
      await disconnect(connection);
    },
  };
}
