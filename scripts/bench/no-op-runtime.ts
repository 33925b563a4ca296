import { join } from "node:path";
import { createFsStore } from "../../shared/artifacts/src/index.ts";
import {
  type Capability,
  criticEvaluateArticle,
  draftArticleSection,
  generateArticleOutline,
  readResearchSummary,
  refineAndSaveArticle,
  runOptionsSchema,
  verifyCitations,
} from "../../shared/contracts/src/index.ts";
import {
  connect,
  createCancelBus,
  createEventLog,
  createProducer,
  disconnect,
} from "../../shared/queue/src/index.ts";
import {
  createCancellations,
  type ServeDeps,
  serve,
  serveAdvance,
  submitStep,
} from "../../shared/runtime/src/index.ts";
import { createRun } from "../../shared/runtime/src/records.ts";
import { silentLogger } from "../../shared/telemetry/src/index.ts";
import { makeTempFolder, startTestRedis } from "../../shared/testing/src/index.ts";
import { critic, writer } from "./no-op-handlers.ts";

/** Six steps with a queue each, in the order in which a run has them. */
export const sixSteps: readonly Capability[] = [
  readResearchSummary,
  generateArticleOutline,
  draftArticleSection,
  refineAndSaveArticle,
  verifyCitations,
  criticEvaluateArticle,
];

export interface NoOpRuntime {
  readonly runId: string;
  readonly connection: ReturnType<typeof connect>;
  readonly log: ReturnType<typeof silentLogger>;
  /** Submits a step that does nothing; each generation of it is another step. */
  submit(capability: Capability, generation: number): Promise<unknown>;
  /** What the orchestrator does when it is asked to look at the run. */
  whenAsked(walk: () => Promise<unknown>): void;
  close(): Promise<void>;
}

/** The runtime as it is, with a Redis and a folder of its own, around handlers that do nothing. */
export async function openNoOpRuntime(): Promise<NoOpRuntime> {
  const folder = await makeTempFolder();
  const closers: (() => Promise<void> | void)[] = [() => folder.close()];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const redis = await startTestRedis();
    closers.push(() => redis.close());
    const log = silentLogger();
    const store = createFsStore({ root: join(folder.path, "store") });
    const runId = await createRun(store, {
      title: "Nothing",
      plan: "write",
      options: runOptionsSchema.parse({}),
      guideline: "# Nothing\n",
      author: "person",
    });
    const connection = connect({ url: redis.url, role: "worker", log });
    closers.push(() => disconnect(connection));
    const producer = createProducer(connection);
    closers.push(() => producer.close());
    const bus = createCancelBus(connection);
    closers.push(() => bus.close());
    const events = createEventLog(connection, log);
    const deps: ServeDeps = {
      store,
      events,
      log,
      connection,
      producer,
      cancellations: createCancellations(bus),
    };
    let walk = async (): Promise<unknown> => undefined;
    const workers = [
      ...serve("writer", writer, deps),
      ...serve("critic", critic, deps),
      serveAdvance(deps, async () => {
        await walk();
      }),
    ];
    closers.push(async () => {
      await Promise.all(workers.map((worker) => worker.close(1_000)));
    });
    return {
      runId,
      connection,
      log,
      submit: (capability, generation) =>
        submitStep({ store, producer }, runId, { capability, input: {}, generation }),
      whenAsked(next) {
        walk = next;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
