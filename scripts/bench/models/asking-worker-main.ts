import { createFsStore } from "../../../shared/artifacts/src/index.ts";
import { openModels } from "../../../shared/models/src/index.ts";
import {
  connect,
  createCallQuota,
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
import { critic } from "../no-op-handlers.ts";
import { quotaModels } from "./quota-models.ts";

/**
 * `asking-worker-main.ts FOLDER REDIS MODEL-URL WORKERS LIMIT WINDOW`: so many workers, each of whose jobs asks a model once, of
 * which all processes together may ask so many times in a window of milliseconds; until SIGTERM.
 */
const [root = "", redisUrl = "", base = "", ...numbers] = process.argv.slice(2);
const [workers = 1, limit = 1, minuteMs = 60_000] = numbers.map(Number);
const log = silentLogger();
const connection = connect({ url: redisUrl, role: "worker", log });
const producer = createProducer(connection);
const bus = createCancelBus(connection);
const store = createFsStore({ root });
const deps: ServeDeps = {
  store,
  events: createEventLog(connection, log),
  cancellations: createCancellations(bus),
  log,
  connection,
  producer,
  share: { concurrencyOf: () => workers },
};
const settings = new Map([
  ["GEMINI_API_KEY", "key-of-a-bench"],
  ["GEMINI_BASE_URL", base],
]);
const models = await openModels({
  file: { text: quotaModels(limit), name: "models.yaml" },
  setting: (name) => settings.get(name),
  store,
  quota: createCallQuota(connection, { minuteMs }),
  log,
  now: () => new Date(),
  keepsText: true,
});
const served = [
  ...serve(
    "critic",
    {
      ...critic,
      async critic_evaluate_article(input, context) {
        const { runId, stepId, generation, signal } = context;
        await models.ask({
          role: "critic",
          asker: { runId, stepId, generation },
          request: { parts: [{ kind: "text", text: "Is it good?" }], maxTokens: 100 },
          expected: { kind: "text", parse: (text) => text },
          signal,
        });
        return critic.critic_evaluate_article(input, context);
      },
    },
    deps,
  ),
  serveAdvance(deps, async () => undefined),
];
process.stderr.write("serving\n");
await new Promise<void>((resolve) => {
  for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => resolve());
});
await Promise.all(served.map((worker) => worker.close(1_000)));
bus.close();
await producer.close();
await disconnect(connection);
