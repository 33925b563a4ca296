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
  type Handlers,
  type ServeDeps,
  serve,
  serveAdvance,
  submitStep,
} from "../../shared/runtime/src/index.ts";
import { createRun } from "../../shared/runtime/src/records.ts";
import { silentLogger } from "../../shared/telemetry/src/index.ts";
import { makeTempFolder, startTestRedis } from "../../shared/testing/src/index.ts";

const nothing = "0".repeat(64);

const writer: Handlers<"writer"> = {
  read_research_summary: async () => ({ title: "", sections: [], sources: [], failures: 0, words: 0 }),
  generate_article_outline: async () => ({ title: "", sections: [], written_by: "", artifact: "" }),
  draft_article_section: async () => ({
    section_id: "",
    words: 0,
    citations: 0,
    sources: [],
    code_blocks: 0,
    written_by: "",
    artifact: "",
  }),
  refine_and_save_article: async () => ({
    round: 0,
    words: 0,
    sections: 0,
    references: 0,
    revisions_applied: 0,
    revisions_open: 0,
    changed: false,
    article_sha256: nothing,
    written_by: "",
    artifact: "",
  }),
};

const critic: Handlers<"critic"> = {
  verify_citations: async () => ({
    sentences: 0,
    cited: 0,
    supported: 0,
    uncertain: 0,
    unsupported: 0,
    unresolved: 0,
    uncited: 0,
    article_sha256: nothing,
    artifact: "",
  }),
  critic_evaluate_article: async () => ({
    status: "APPROVED",
    overall_score: 0,
    category_scores: { technical_depth: 0, code_quality: 0, structure_clarity: 0, citation_fidelity: 0 },
    blocking: [],
    required_revisions: 0,
    article_sha256: nothing,
    artifact: "",
  }),
};

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
