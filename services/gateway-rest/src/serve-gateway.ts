import { openStore } from "@proofroom/artifacts";
import {
  connect,
  createCancelBus,
  createEventLog,
  createProducer,
  createQueueBoard,
  createQueueInspector,
  disconnect,
  openRedis,
} from "@proofroom/queue";
import { indexRuns } from "@proofroom/runtime/records";
import type { Logger } from "@proofroom/telemetry";
import { buildApp } from "./app.ts";
import type { Settings } from "./settings.ts";

/** How long word of what happened may take to reach Redis on the way out, in milliseconds. */
const flushMs = 1_000;

export interface RunningGateway {
  /** Where it listens. */
  readonly url: string;
  /** Ends event streams, answers what is under way, and lets go of everything. */
  close(): Promise<void>;
}

/**
 * Opens the store and the queue that the settings name, and listens.
 * @throws ProofroomError not_configured, dependency_down, invalid_input
 */
export async function serveGateway(
  settings: Settings,
  log: Logger,
  signal: AbortSignal,
): Promise<RunningGateway> {
  const closers: (() => unknown)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const store = await openStore(settings.store);
    closers.push(() => store.close());
    await indexRuns(store, signal);
    const redis = await openRedis({
      redisUrl: settings.redisUrl,
      home: settings.home,
      allowInstall: settings.allowInstall,
      log: (line) => log.info(line),
      signal,
    });
    closers.push(() => redis.close());
    const connection = connect({ url: redis.url, role: "producer", log });
    closers.push(() => disconnect(connection));
    const producer = createProducer(connection);
    closers.push(() => producer.close());
    const bus = createCancelBus(connection);
    closers.push(() => bus.close());
    const events = createEventLog(connection, log);
    closers.push(() => events.flush(flushMs));
    const board = createQueueBoard(connection);
    closers.push(() => board.close());
    const inspector = createQueueInspector(connection);
    const { auth, port } = settings;
    const now = () => new Date();
    const app = await buildApp({ store, producer, events, bus, log, auth, now, inspector, board });
    closers.push(() => app.close());
    return { url: await app.listen({ host: auth.host, port }), close };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}
