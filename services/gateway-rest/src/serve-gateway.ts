import { openStore, watchWrites } from "@proofroom/artifacts";
import { closeAll, openTracing } from "@proofroom/hosting/program";
import {
  createQueueBoard,
  createQueueInspector,
  openLinks,
  openRedis,
  type RedisAddress,
  readRedisAddress,
} from "@proofroom/queue";
import { indexRuns } from "@proofroom/runtime/records";
import type { Logger, Tracing } from "@proofroom/telemetry";
import { buildApp } from "./app.ts";
import type { Settings } from "./settings.ts";

export interface RunningGateway {
  /** Where it listens. */
  readonly url: string;
  /** Ends event streams, answers what is under way, and lets go of everything. */
  close(): Promise<void>;
}

/** What the program gives the gateway beside its settings. */
export interface GatewayProgram {
  log: Logger;
  version: string;
  /** Told of the tracing as soon as there is one: lines of the log take their ids from it. */
  onTracing(tracing: Tracing): void;
}

/** A Redis that is given may be away: what needs it is answered so until it is back. */
async function openAddress(
  settings: Settings,
  log: Logger,
  signal: AbortSignal,
): Promise<RedisAddress & { close?(): Promise<void> }> {
  if (settings.redis !== undefined) return readRedisAddress(settings.redis, settings.cwd);
  const { home, allowInstall } = settings;
  return openRedis({ home, allowInstall, log: (line) => log.info(line), signal });
}

/**
 * Opens the store and the queue that the settings name, and listens.
 * @throws ProofroomError not_configured, dependency_down, invalid_input
 */
export async function serveGateway(
  settings: Settings,
  { log, onTracing, version }: GatewayProgram,
  signal: AbortSignal,
): Promise<RunningGateway> {
  const closers: (() => Promise<void> | void)[] = [];
  const close = () => closeAll(closers);
  try {
    const store = await openStore(settings.store);
    closers.push(() => store.close());
    const tracing = await openTracing({
      settings,
      serviceName: "proofroom-gateway-rest",
      version,
      store,
      log,
    });
    closers.push(() => tracing.close());
    onTracing(tracing);
    await indexRuns(store, signal);
    const address = await openAddress(settings, log, signal);
    closers.push(() => address.close?.());
    const links = openLinks({ ...address, role: "producer", log, tracing });
    closers.push(() => links.close());
    const { connection, producer, bus, events } = links;
    const writes = watchWrites(store);
    closers.push(() => writes.stop());
    await writes.tried;
    const board = createQueueBoard(connection);
    closers.push(() => board.close());
    const inspector = createQueueInspector(connection);
    const { auth, port } = settings;
    const now = () => new Date();
    const app = await buildApp({
      store,
      producer,
      events,
      bus,
      log,
      tracing,
      auth,
      now,
      inspector,
      board,
      writes,
    });
    closers.push(() => app.close());
    return { url: await app.listen({ host: auth.host, port }), close };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}
