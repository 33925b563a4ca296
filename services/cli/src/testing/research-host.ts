import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { costOfRun, createFsStore, openRunArtifacts } from "@proofroom/artifacts";
import {
  type Capability,
  extractGuidelinesUrls,
  type Gathered,
  gatheredArtifact,
  gatheredSchema,
  type Source,
  sourceSchema,
} from "@proofroom/contracts";
import { closeAll, openWorkshop } from "@proofroom/hosting";
import { openLinks } from "@proofroom/queue";
import { openResearch } from "@proofroom/research";
import { serve, submitStep } from "@proofroom/runtime";
import { openLedger } from "@proofroom/runtime/records";
import { noTracing, silentLogger } from "@proofroom/telemetry";
import { createTestRun, eventually, makeTempFolder, startTestRedis } from "@proofroom/testing";
import { readSettings } from "../settings.ts";

const checkout = fileURLToPath(new URL("../../../..", import.meta.url));

/** The outcome of a gathering capability, with the sources that it lists. */
interface GatheredByQueue extends Gathered {
  read: Source[];
  /** Pages that the run is said to have fetched. */
  pages: number;
}

export interface ResearchHost {
  /** Extracts the guideline's sources in a run of its own, and then has the capability gather. */
  gather(guideline: string, capability: Capability): Promise<GatheredByQueue>;
  close(): Promise<void>;
}

/** The research service as the environment says, on a real queue. */
export async function openResearchHost(env: Readonly<Record<string, string>>): Promise<ResearchHost> {
  const log = silentLogger();
  const [folder, redis] = await Promise.all([makeTempFolder(), startTestRedis()]);
  const store = createFsStore({ root: join(folder.path, "store") });
  const links = openLinks({ url: redis.url, role: "worker", log });
  const home = join(folder.path, "home");
  const settings = readSettings({ PROOFROOM_HOME: home, ...env }, { cwd: folder.path, checkout });
  const workshop = openWorkshop({ settings, store, links, log, tracing: noTracing });
  const research = openResearch({
    settings,
    store,
    ...(await workshop.models()),
    tempRoot: await workshop.tempRoot(),
    tracing: noTracing,
  });
  const workers = serve("research", research.handlers, workshop.serving);

  async function run(runId: string, capability: Capability): Promise<void> {
    const ledger = openLedger(store, runId);
    const step = { stepId: capability.name, generation: 1 };
    await submitStep({ store, producer: links.producer }, runId, { capability, input: {}, generation: 1 });
    await eventually(
      async () => (await ledger.record(step)) !== null || (await ledger.failure(step)) !== null,
    );
  }

  return {
    async gather(guideline, capability) {
      const runId = await createTestRun(store, { guideline });
      await run(runId, extractGuidelinesUrls);
      await run(runId, capability);
      const artifacts = openRunArtifacts(store, runId);
      const json = async (name: string) => {
        const version = await artifacts.latest(name);
        if (version === null) throw new Error(`there is no ${name}`);
        return JSON.parse(Buffer.from(await artifacts.read(name, version)).toString());
      };
      const gathered = gatheredSchema.parse(await json(gatheredArtifact(capability.name)));
      const read = await Promise.all(
        gathered.sources.map(async ({ artifact }) => sourceSchema.parse(await json(artifact))),
      );
      return { ...gathered, read, pages: (await costOfRun(store, runId))?.pages ?? 0 };
    },
    close: () =>
      closeAll([
        () => folder.close(),
        () => redis.close(),
        () => links.close(),
        () => workshop.close(),
        () => research.close(),
        async () => {
          await Promise.all(workers.map((worker) => worker.close(3_000)));
        },
      ]),
  };
}
