import { createFsStore } from "../../../shared/artifacts/src/index.ts";
import {
  connect,
  createCancelBus,
  createEventLog,
  createProducer,
  disconnect,
} from "../../../shared/queue/src/index.ts";
import {
  createCancellations,
  type ServeDeps,
  serve,
  serveAdvance,
} from "../../../shared/runtime/src/index.ts";
import { silentLogger } from "../../../shared/telemetry/src/index.ts";
import { critic, writer } from "../no-op-handlers.ts";

/** `no-op-worker-main.ts FOLDER REDIS`: workers that take jobs, do nothing, and record that they have; until SIGTERM. */
const [root = "", redisUrl = ""] = process.argv.slice(2);
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
const workers = [
  ...serve("writer", writer, deps),
  ...serve("critic", critic, deps),
  serveAdvance(deps, async () => undefined),
];
process.stderr.write("serving\n");
await new Promise<void>((resolve) => {
  for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => resolve());
});
await Promise.all(workers.map((worker) => worker.close(1_000)));
bus.close();
await producer.close();
await disconnect(connection);
