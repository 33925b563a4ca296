import type { ObjectStore } from "@proofroom/artifacts";
import { ProofroomError } from "@proofroom/contracts";
import { closeAll, openWorkshop } from "@proofroom/hosting";
import {
  type CancelBus,
  openLinks,
  openRedis,
  type RedisAddress,
  type RunningWorker,
  readRedisAddress,
} from "@proofroom/queue";
import type { ControlDeps, ServeShare } from "@proofroom/runtime";
import type { Logger, Tracing } from "@proofroom/telemetry";
import type { Settings } from "../settings.ts";
import { watchConnection } from "./redis-watch.ts";
import { startServices } from "./start-services.ts";
import { watchStore } from "./store-watch.ts";

export interface HostOptions {
  settings: Settings;
  store: ObjectStore;
  log: Logger;
  tracing: Tracing;
  /** Told in a line each what is started or installed. */
  notice(line: string): void;
  /** The runs that this process looks after; none where nothing is said. */
  runs?(signal: AbortSignal): AsyncIterable<string>;
  signal: AbortSignal;
  /** False where the command only sends word to others: no workers and no sweeper then. */
  workers?: boolean;
  /** What of all services' work this process does; all of it where nothing is said. */
  share?: ServeShare;
  /** How long jobs may take to end on close, in milliseconds. */
  graceMs?: number | undefined;
}

export interface Host {
  readonly redis: RedisAddress;
  readonly orchestrator: ControlDeps;
  readonly bus: CancelBus;
  /** None where the command only sends word. */
  readonly workers: readonly RunningWorker[];
  /** What was counted, and how the queues stand, in the text format of Prometheus. */
  report(): Promise<string>;
  /** Rejects when Redis has been away for too long, or the store takes nothing any more. */
  readonly lost: Promise<never>;
  close(): Promise<void>;
}

/** The same where nothing is said: whoever interrupts a command stands before it and waits. */
const usualGrace = 3_000;

async function* noRuns(): AsyncGenerator<string> {}

/** Starts Redis where there is none, every service's workers and the sweeper, in this process. */
export async function openHost(options: HostOptions): Promise<Host> {
  const { settings, log, tracing, share, graceMs = usualGrace } = options;
  const { store, broken } = watchStore(options.store);
  const closers: (() => Promise<void> | void)[] = [];
  const close = () => closeAll(closers);
  try {
    const redis = await openRedis({
      redis: settings.redis && (await readRedisAddress(settings.redis, settings.cwd)),
      home: settings.home,
      allowInstall: settings.allowInstall,
      log: options.notice,
      signal: options.signal,
    });
    closers.push(() => redis.close());
    const links = openLinks({ ...redis, role: "worker", log, tracing });
    closers.push(() => links.close());
    const watch = watchConnection(links.connection);
    closers.push(() => watch.stop());
    const { producer, bus, events } = links;
    const orchestrator: ControlDeps = { store, producer, events, tracing };
    const lost = Promise.race([watch.lost, broken]);
    lost.catch(() => undefined);
    const workshop = openWorkshop({ settings, store, links, log, tracing, share });
    closers.push(() => workshop.close());
    const { report } = workshop;
    const host: Host = { redis, orchestrator, bus, workers: [], report, lost, close };
    if (options.workers === false) return host;
    const services = await startServices({ settings, workshop, runs: options.runs ?? noRuns });
    closers.push(() => services.close());
    closers.push(async () => {
      await Promise.all(services.workers.map((worker) => worker.close(graceMs)));
    });
    closers.push(() => services.stop());
    return { ...host, workers: services.workers };
  } catch (error) {
    await close().catch(() => undefined);
    throw options.signal.aborted
      ? new ProofroomError({ code: "cancelled", message: "Interrupted before it began." })
      : error;
  }
}
