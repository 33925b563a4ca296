import { createFsStore } from "../../shared/artifacts/src/index.ts";
import {
  connect,
  createCancelBus,
  createEventLog,
  createProducer,
  disconnect,
} from "../../shared/queue/src/index.ts";
import { createCancellations, type ServeDeps, serveAdvance } from "../../shared/runtime/src/index.ts";
import { silentLogger } from "../../shared/telemetry/src/index.ts";

interface Place {
  /** The store's folder. */
  readonly root: string;
  readonly redisUrl: string;
}

interface Served {
  close(graceMs: number): Promise<unknown>;
}

/** A worker process of a bench: serves what `start` makes and ignores each run's next steps; says `serving`, and ends on SIGTERM. */
export async function serveUntilTold(
  { root, redisUrl }: Place,
  start: (deps: ServeDeps) => readonly Served[] | Promise<readonly Served[]>,
): Promise<void> {
  const log = silentLogger();
  const connection = connect({ url: redisUrl, role: "worker", log });
  const producer = createProducer(connection);
  const bus = createCancelBus(connection);
  const deps: ServeDeps = {
    store: createFsStore({ root }),
    events: createEventLog(connection, log),
    cancellations: createCancellations(bus),
    log,
    connection,
    producer,
  };
  const workers = [...(await start(deps)), serveAdvance(deps, async () => undefined)];
  process.stderr.write("serving\n");
  await new Promise<void>((resolve) => {
    for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => resolve());
  });
  await Promise.all(workers.map((worker) => worker.close(1_000)));
  bus.close();
  await producer.close();
  await disconnect(connection);
}
