import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createFsStore, openRunArtifacts } from "@proofroom/artifacts";
import { openCodeQa } from "@proofroom/code-qa";
import {
  artifact,
  capabilitiesOf,
  type Outcome,
  runOptionsSchema,
  scrapeAndCleanOtherUrls,
} from "@proofroom/contracts";
import { createCriticHandlers } from "@proofroom/critic";
import { closeAll, openWorkshop } from "@proofroom/hosting";
import type { Models, OutsideCalls } from "@proofroom/models";
import { startOrchestrator } from "@proofroom/orchestrator";
import { openLinks } from "@proofroom/queue";
import { openResearch } from "@proofroom/research";
import {
  type AnyHandler,
  type Handlers,
  resumeRun,
  type StepContext,
  serve,
  startRun,
} from "@proofroom/runtime";
import { createRun, describeRun, openLedger } from "@proofroom/runtime/records";
import { noTracing, silentLogger } from "@proofroom/telemetry";
import { eventually, makeTempFolder, startTestRedis } from "@proofroom/testing";
import { createWriterHandlers } from "@proofroom/writer";
import { copyUploads } from "../create/copy-uploads.ts";
import { loadGuideline } from "../create/load-guideline.ts";
import { readSettings } from "../settings.ts";
import { type FailureCase, startCaseProviders } from "./case-provider.ts";
import { checkout, modelsFile, searchSettings } from "./case-settings.ts";
import { type SearchStage, searchStages } from "./failures.ts";
import { writePlannedGuideline } from "./planned-guideline.ts";
import { type ToldWait, waitShownBy, waitToldBy } from "./told-wait.ts";

interface Opened {
  models: Models;
  calls: OutsideCalls;
  close(): Promise<void>;
}

/** How a run whose provider fails went on: by itself, after a wait that it told, or when it was set in motion again. */
interface Course {
  course: "went on" | "waited" | "stopped";
  /** Of a run that stopped. */
  code?: string;
}

export interface CaseResult extends Course {
  outcome: Outcome;
  /** Whether what it stopped for, or waited for and until when, was told to a person. */
  said: boolean;
  /** Of a run that waited: the seconds until it goes on, as it told them. */
  waitSeconds: number | null;
  failed: number;
  page: string;
}

export interface FailureHost {
  /** Writes the small article while its provider fails, mends that once the run can do nothing more, and sees it through. */
  write(failure: FailureCase, search?: SearchStage): Promise<CaseResult>;
  close(): Promise<void>;
}

/** How long a run may take to its end, and how often it is looked at, in milliseconds. */
const patience = 240_000;
const lookEvery = 1_000;
const mostAtOnce = 12;

/** Stages that only a run with a round of search has. */
const searching: ReadonlySet<string> = new Set(["searcher", "selector", "reader", ...searchStages]);

/** One process with all services, in which each run has providers of its own. */
export async function openFailureHost(): Promise<FailureHost> {
  const log = silentLogger();
  const [folder, redis, providers] = await Promise.all([
    makeTempFolder(),
    startTestRedis(),
    startCaseProviders(),
  ]);
  const store = createFsStore({ root: join(folder.path, "store") });
  const links = openLinks({ url: redis.url, role: "worker", log });
  const home = join(folder.path, "home");

  const ofRun = new Map<string, Opened & Pick<FailureCase, "stage"> & { search: Record<string, string> }>();
  const of = (runId: string) => {
    const known = ofRun.get(runId);
    if (known === undefined) throw new Error(`${runId} is no case`);
    return known;
  };

  /** The models of one case, and what counts its searches and pages, as its settings say. */
  async function open(env: Readonly<Record<string, string>>): Promise<Opened> {
    const settings = readSettings(env, { cwd: folder.path, checkout });
    const workshop = openWorkshop({ settings, store, links, log, tracing: noTracing });
    return { ...(await workshop.models()), close: () => workshop.close() };
  }

  const models: Models = {
    has: () => true,
    ask: (question) => of(question.asker.runId).models.ask(question),
  };
  const calls: OutsideCalls = {
    search: (question, call) => of(question.asker.runId).calls.search(question, call),
    page: (page, call) => of(page.asker.runId).calls.page(page, call),
  };
  const common = { PROOFROOM_HOME: home, PROOFROOM_ALLOW_HOSTS: providers.host, PROOFROOM_PAGE_CACHE: "off" };
  const workshop = openWorkshop({
    settings: readSettings(common, { cwd: folder.path, checkout }),
    store,
    links,
    log,
    tracing: noTracing,
    share: { concurrencyOf: (name) => (name === "execute_sandbox_tests" ? 2 : 64) },
  });
  const tempRoot = await workshop.tempRoot();
  const researches = new Map<string, ReturnType<typeof openResearch>>();

  /** The research whose search is set so: its threads serve all cases that have the same. */
  function researchWith(search: Readonly<Record<string, string>>): ReturnType<typeof openResearch> {
    const key = JSON.stringify(search);
    const known = researches.get(key);
    if (known !== undefined) return known;
    const settings = readSettings({ ...common, ...search }, { cwd: folder.path, checkout });
    const research = openResearch({ settings, store, models, calls, tempRoot, tracing: noTracing });
    researches.set(key, research);
    return research;
  }

  function handle(name: string, input: object, context: StepContext) {
    const { search, stage } = of(context.runId);
    const handlers = researchWith(search).handlers as unknown as Record<string, AnyHandler>;
    // A run has its pages cleaned where somebody asks for it with a tool.
    const isCleaned = stage === "cleaner" && name === scrapeAndCleanOtherUrls.name;
    return handlers[name]?.((isCleaned ? { ...input, clean: true } : input) as never, context);
  }

  const research = Object.fromEntries(
    capabilitiesOf("research").map(({ name }) => [
      name,
      (input: object, context: StepContext) => handle(name, input, context),
    ]),
  ) as unknown as Handlers<"research">;
  const codeQa = openCodeQa({ models, log, tracing: noTracing });
  const orchestrator = startOrchestrator({
    serving: workshop.serving,
    runs: async function* () {
      yield* ofRun.keys();
    },
    sweepEvery: 5_000,
  });
  const workers = [
    ...serve("research", research, workshop.serving),
    ...serve("writer", createWriterHandlers({ models }), workshop.serving),
    ...serve("critic", createCriticHandlers({ models }), workshop.serving),
    ...serve("code-qa", codeQa.handlers, workshop.serving),
    ...orchestrator.workers,
  ];
  const control = { store, producer: links.producer, events: links.events };
  let cases = 0;
  let underWay = 0;
  let ended = Promise.withResolvers<void>();

  /** A run that has as much to do as it takes to come to the stage, and to go on behind it to the end. */
  async function create(at: number, base: string, stage: FailureCase["stage"]): Promise<string> {
    const addresses = [
      ...(stage === "cleaner" ? [`${base}/page`] : []),
      ...(stage === "transcriber" ? ["https://www.youtube.com/watch?v=dQw4w9WgXcQ"] : []),
    ];
    const withoutCode = stage !== "repairer";
    const folderOf = join(folder.path, `guideline-${at}`);
    const { text, title, uploads } = await loadGuideline(
      await writePlannedGuideline(folderOf, { addresses, withoutCode }),
    );
    return createRun(store, {
      title,
      plan: "write",
      options: runOptionsSchema.parse({ search_rounds: searching.has(stage) ? 1 : 0, max_rounds: 1 }),
      guideline: text,
      author: "person",
      fill: (run) => copyUploads({ store, base: run.base, signal: new AbortController().signal }, uploads),
    });
  }

  /** Until the run has ended, or waits and says so. */
  async function untilStuck(runId: string, after: string): Promise<Outcome | ToldWait> {
    const stop = new AbortController();
    let told: ToldWait | null = null;
    const listening = (async () => {
      for await (const event of links.events.follow(runId, after, stop.signal)) told ??= waitToldBy(event);
    })().catch(() => undefined);
    let stuck: Outcome | ToldWait | null = null;
    await eventually(
      async () => {
        const outcome = await openLedger(store, runId).outcome();
        const shown = waitShownBy(await describeRun(store, runId));
        stuck = outcome ?? told ?? shown;
        return stuck !== null;
      },
      patience,
      lookEvery,
    );
    stop.abort();
    await listening;
    return stuck as unknown as Outcome | ToldWait;
  }

  async function untilEnded(runId: string): Promise<Outcome> {
    let outcome: Outcome | null = null;
    await eventually(
      async () => {
        outcome = await openLedger(store, runId).outcome();
        return outcome !== null;
      },
      patience,
      lookEvery,
    );
    return outcome as unknown as Outcome;
  }

  async function write(failure: FailureCase, search: SearchStage): Promise<CaseResult> {
    const provider = providers.add(failure);
    const at = cases++;
    const file = join(folder.path, `models-${at}.yaml`);
    await writeFile(file, await modelsFile(at));
    const { stage } = failure;
    const timeout = failure.isSlow === true ? "3" : "60";
    const env = {
      ...common,
      PROOFROOM_MODELS: file,
      // What is in time elsewhere must be so on a busy machine too.
      PROOFROOM_MODEL_TIMEOUT: timeout,
      GEMINI_API_KEY: "key",
      GEMINI_BASE_URL: `${provider.base}/gemini`,
    };
    const isSearch = stage === search;
    const searched = searchSettings(search, isSearch ? provider.base : providers.base, timeout);
    const runId = await create(at, provider.base, stage);
    ofRun.set(runId, { ...(await open(env)), stage, search: searched });
    const position = await links.events.position(runId);
    await startRun(control, runId);
    const stuck = await untilStuck(runId, position);
    const course = courseOf(stuck);
    const described = await describeRun(store, runId);
    provider.mend();
    let outcome = stuck;
    if (!("status" in outcome) || outcome.status !== "succeeded") {
      const before = of(runId);
      const given = { SPARE_API_KEY: "spare", SPARE_BASE_URL: `${provider.base}/spare` };
      ofRun.set(runId, { ...before, ...(await open({ ...env, ...given })) });
      await resumeRun(control, runId);
      outcome = await untilEnded(runId);
      await before.close();
    }
    await of(runId).close();
    ofRun.delete(runId);
    const artifacts = openRunArtifacts(store, runId);
    const version = await artifacts.latest(artifact.page);
    const page = version === null ? "" : Buffer.from(await artifacts.read(artifact.page, version)).toString();
    const { error } = described;
    const wait = "status" in stuck ? null : stuck;
    const said =
      wait === null
        ? error !== null && error.message !== "" && error.remedy !== undefined
        : wait.what !== "" && wait.seconds > 0;
    return { ...course, outcome, said, waitSeconds: wait?.seconds ?? null, failed: provider.failed, page };
  }

  return {
    async write(failure, search = "tavily") {
      while (underWay >= mostAtOnce) await ended.promise;
      underWay += 1;
      try {
        return await write(failure, search);
      } finally {
        underWay -= 1;
        ended.resolve();
        ended = Promise.withResolvers();
      }
    },
    async close() {
      await closeAll([
        () => folder.close(),
        () => providers.close(),
        () => redis.close(),
        () => links.close(),
        () => workshop.close(),
        () => codeQa.close(),
        async () => {
          await Promise.all([...researches.values()].map((one) => one.close()));
        },
        async () => {
          await Promise.all(workers.map((worker) => worker.close(3_000)));
        },
        () => orchestrator.stop(),
      ]);
    },
  };
}

function courseOf(stuck: Outcome | ToldWait): Course {
  if (!("status" in stuck)) return { course: "waited" };
  if (stuck.status === "succeeded") return { course: "went on" };
  return { course: "stopped", ...(stuck.error === undefined ? {} : { code: stuck.error.code }) };
}
