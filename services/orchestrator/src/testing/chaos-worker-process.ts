import { createFsStore } from "@proofroom/artifacts";
import { connect, createCancelBus, createEventLog, createProducer, disconnect } from "@proofroom/queue";
import { createCancellations, type ServeDeps, serve, serveAdvance } from "@proofroom/runtime";
import { listMovingRuns } from "@proofroom/runtime/records";
import { silentLogger } from "@proofroom/telemetry";
import { z } from "zod";
import { advanceRun } from "../advance-run.ts";
import { startSweeper } from "../sweeper.ts";
import { fakeHandlers } from "./fake-handlers.ts";
import { seeded } from "./random.ts";

/** What a worker process of the chaos test is told, as JSON in its first argument. Times in milliseconds. */
const settingsSchema = z.object({
  root: z.string(),
  marks: z.string(),
  redis: z.string(),
  seed: z.int(),
  lockMs: z.int(),
  sweepMs: z.int(),
});

const settings = settingsSchema.parse(JSON.parse(process.argv[2] ?? "null"));
const log = silentLogger();
const store = createFsStore({ root: settings.root });
const connection = connect({ url: settings.redis, role: "worker", log });
const producer = createProducer(connection);
const bus = createCancelBus(connection);
const events = createEventLog(connection, log);
const deps: ServeDeps = {
  store,
  events,
  log,
  connection,
  producer,
  cancellations: createCancellations(bus),
  lockMs: settings.lockMs,
};
const fakes = { marks: settings.marks, random: seeded(settings.seed) };
const workers = [
  ...serve("research", fakeHandlers("research", fakes), deps),
  ...serve("writer", fakeHandlers("writer", fakes), deps),
  ...serve("critic", fakeHandlers("critic", fakes), deps),
  ...serve("code-qa", fakeHandlers("code-qa", fakes), deps),
  serveAdvance(deps, (runId, input, signal) => advanceRun({ store, producer, events }, runId, input, signal)),
];
const stopSweeper = startSweeper({
  store,
  producer,
  events,
  log,
  runs: (signal) => listMovingRuns(store, signal),
  intervalMs: settings.sweepMs,
});
process.once("SIGTERM", async () => {
  await stopSweeper();
  await Promise.all(workers.map((worker) => worker.close(2_000)));
  await producer.close();
  bus.close();
  await disconnect(connection);
  process.exit(0);
});
process.stdout.write("ready\n");
