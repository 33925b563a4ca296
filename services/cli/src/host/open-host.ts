import type { ObjectStore } from "@proofroom/artifacts";
import { ProofroomError } from "@proofroom/contracts";
import { startSweeper } from "@proofroom/orchestrator";
import {
  type CancelBus,
  connect,
  createCancelBus,
  createEventLog,
  createProducer,
  disconnect,
  openRedis,
  type RunningWorker,
} from "@proofroom/queue";
import type { ControlDeps } from "@proofroom/runtime";
import { createJobMetrics, type JobMetrics, type Logger } from "@proofroom/telemetry";
import type { Settings } from "../settings.ts";
import { closeAll } from "./close-all.ts";
import { watchConnection } from "./redis-watch.ts";
import { startServices } from "./start-services.ts";
import { watchStore } from "./store-watch.ts";

export interface HostOptions {
  settings: Settings;
  store: ObjectStore;
  log: Logger;
  /** Told in a line each what is started or installed. */
  notice(line: string): void;
  /** The runs that this process looks after. */
  runs(): AsyncIterable<string>;
  signal: AbortSignal;
  /** False where the command only sends word to others: no workers and no sweeper then. */
  workers?: boolean;
}

export interface Host {
  readonly redisUrl: string;
  readonly orchestrator: ControlDeps;
  readonly bus: CancelBus;
  /** None where the command only sends word. */
  readonly workers: readonly RunningWorker[];
  readonly metrics: JobMetrics;
  /** Rejects when Redis has been away for too long, or the store takes nothing any more. */
  readonly lost: Promise<never>;
  close(): Promise<void>;
}

/** How often runs are looked at that nobody moves, and how long jobs may take to end on close; milliseconds. */
const sweepEvery = 2_000;
const closeGrace = 3_000;

/** Starts Redis where there is none, every service's workers and the sweeper, in this process. */
export async function openHost(options: HostOptions): Promise<Host> {
  const { settings, log } = options;
  const { store, broken } = watchStore(options.store);
  const closers: (() => Promise<void> | void)[] = [];
  const close = () => closeAll(closers);
  try {
    const redis = await openRedis({
      redisUrl: settings.redisUrl,
      home: settings.home,
      allowInstall: settings.allowInstall,
      log: options.notice,
      signal: options.signal,
    });
    closers.push(() => redis.close());
    const connection = connect({ url: redis.url, role: "worker", log });
    closers.push(() => disconnect(connection));
    const watch = watchConnection(connection);
    closers.push(() => watch.stop());
    const producer = createProducer(connection);
    closers.push(() => producer.close());
    const bus = createCancelBus(connection);
    closers.push(() => bus.close());
    const events = createEventLog(connection, log);
    closers.push(() => events.flush(1_000));
    const orchestrator: ControlDeps = { store, producer, events };
    const lost = Promise.race([watch.lost, broken]);
    lost.catch(() => undefined);
    const metrics = createJobMetrics();
    const host: Host = { redisUrl: redis.url, orchestrator, bus, workers: [], metrics, lost, close };
    if (options.workers === false) return host;
    const deps = { settings, store, log, connection, producer, bus, events, metrics };
    const services = await startServices(deps);
    closers.push(() => services.close());
    closers.push(async () => {
      await Promise.all(services.workers.map((worker: RunningWorker) => worker.close(closeGrace)));
    });
    closers.push(startSweeper({ ...orchestrator, runs: options.runs, intervalMs: sweepEvery, log }));
    return { ...host, workers: services.workers };
  } catch (error) {
    await close().catch(() => undefined);
    throw options.signal.aborted
      ? new ProofroomError({ code: "cancelled", message: "Interrupted before it began." })
      : error;
  }
}
