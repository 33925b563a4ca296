import { watchWrites } from "@proofroom/artifacts";
import type { Places } from "@proofroom/config";
import { capabilitiesOf, type ServiceName } from "@proofroom/contracts";
import { openLinks, type RunningWorker, readRedisAddress } from "@proofroom/queue";
import { createLogger, gaugeText, logFields, noTracing } from "@proofroom/telemetry";
import { closeAll } from "./close-all.ts";
import { untilAborted } from "./interruption.ts";
import { openHealth } from "./open-health.ts";
import { openStore } from "./open-store.ts";
import { openTracing } from "./open-tracing.ts";
import { runProgram } from "./run-program.ts";
import { readServiceSettings, type ServiceSettings } from "./service-settings.ts";
import { openWorkshop, type Workshop } from "./workshop.ts";

/** A service at work in this process. */
export interface RunningService {
  readonly workers: readonly RunningWorker[];
  /** Ends what begins work by itself, before the workers are closed. */
  stop?(): Promise<void>;
  /** Frees what the handlers hold, after the workers have closed. */
  close?(): Promise<void> | void;
}

export interface ServiceProgram {
  service: ServiceName;
  version: string;
  program: NodeJS.Process;
  env: Readonly<Record<string, string | undefined>>;
  places: Places;
  /** Makes the service's workers. */
  start(made: { settings: ServiceSettings; workshop: Workshop }): Promise<RunningService>;
}

/** How long closing may take beside the grace of the jobs, before the process leaves all the same; milliseconds. */
const closingMs = 5_000;

/** Stops taking jobs and waits for those under way; answers the ids of those that were left to others. */
async function drain(running: RunningService, graceMs: number): Promise<string[]> {
  const stopped = running.stop?.();
  const left = await Promise.all(running.workers.map((worker) => worker.close(graceMs)));
  await stopped;
  return left.flat();
}

/**
 * The whole life of a service's process: reads its settings, opens the store and the queue, serves its health from then on, starts
 * its workers, and on a signal drains and closes everything in order. Redis may be away: it is not ready until it is there.
 */
export async function runService(options: ServiceProgram): Promise<void> {
  const { service, version, program } = options;
  await runProgram(program, async (signal) => {
    const settings = readServiceSettings(options.env, options.places, service);
    let tracing = noTracing;
    const fields = () => logFields(tracing.ids());
    const log = createLogger({ level: settings.logLevel, destination: program.stderr, fields }).child({
      service,
    });
    const address = await readRedisAddress(settings.redis, settings.cwd);
    const closers: (() => Promise<void> | void)[] = [];
    let running: RunningService | undefined;
    try {
      const store = await openStore(settings);
      closers.push(() => store.close());
      tracing = await openTracing({ settings, serviceName: `proofroom-${service}`, version, store, log });
      closers.push(() => tracing.close());
      const writes = watchWrites(store);
      closers.push(() => writes.stop());
      const links = openLinks({ ...address, role: "worker", log, tracing });
      closers.push(() => links.close());
      const { share, graceMs } = settings;
      const served = capabilitiesOf(service).filter(({ name }) => share.queues?.has(name) ?? true);
      const workshop = openWorkshop({ settings, store, links, log, tracing, share, capabilities: served });
      closers.push(() => workshop.close());
      const build = gaugeText("proofroom_build_info", "What runs here.", [[{ service, version }, 1]]);
      const health = await openHealth({
        place: settings.health,
        required: true,
        workers: () => running?.workers ?? [],
        obstacles: () => [...(running === undefined ? ["starting"] : []), ...writes.obstacles()],
        metrics: async () => build + (await workshop.report()),
        stopping: () => signal.aborted,
        notice: (line) => log.info(line),
      });
      running = await options.start({ settings, workshop });
      closers.push(async () => running?.close?.());
      log.info({ version, queues: served.map(({ name }) => name) }, "serving");
      await untilAborted(signal);
      log.info({ grace_ms: graceMs }, "draining");
      setTimeout(() => program.exit(1), graceMs + closingMs).unref();
      const left = await drain(running, graceMs);
      await closeAll(closers);
      // The last to go: whoever asks is told for as long as jobs end here.
      await health?.close();
      if (left.length > 0) log.warn({ left }, "jobs were left to others");
      else log.info("drained");
      return left.length > 0 ? 1 : 0;
    } catch (error) {
      await closeAll(closers).catch(() => undefined);
      throw error;
    }
  });
}
