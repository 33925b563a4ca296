import { type ObjectStore, readObject } from "@proofroom/artifacts";
import { budgetSchema, isProofroomError, type RunBudget, type RunManifest } from "@proofroom/contracts";
import { openLedger } from "./ledger.ts";
import { ledgerKeys, numbered } from "./ledger-keys.ts";
import { RecentlyUsed } from "./recently-used.ts";

/** One generation of a step of a run. */
interface Asking {
  runId: string;
  stepId: string;
  generation: number;
}

/** Where answers to a step's questions may have been recorded. */
interface AnswerPlaces {
  /** The most recent first. */
  places: readonly Asking[];
  /** Whether nothing else counts: of a replay, which asks nobody. */
  only: boolean;
}

/** The most that a run may spend, all in all; no limit where nothing is said. */
interface RunLimits {
  /** US dollars. */
  usd: number | undefined;
  tokens: number | undefined;
  searches: number | undefined;
  pages: number | undefined;
}

/** What the records of a run say about the asking of models, and of others. */
export interface ModelFacts {
  budgetOf(runId: string): Promise<RunLimits>;
  answersOf(asking: Asking): Promise<AnswerPlaces>;
}

async function lastNumber(store: ObjectStore, prefix: string, pattern: RegExp): Promise<number | null> {
  let last: number | null = null;
  for await (const { key } of store.list(prefix)) {
    const n = Number(pattern.exec(key.slice(prefix.length))?.[1] ?? Number.NaN);
    if (!Number.isNaN(n)) last = Math.max(last ?? n, n);
  }
  return last;
}

function budgetsOf(runId: string): string {
  return `runs/${runId}/${ledgerKeys.budgets}`;
}

/** The newest record of a budget that was set anew; null where none was. */
async function lastBudget(store: ObjectStore, runId: string) {
  const last = await lastNumber(store, budgetsOf(runId), numberedName);
  if (last === null) return null;
  const bytes = await readObject(store, budgetsOf(runId) + numbered(last));
  return budgetSchema.parse(JSON.parse(Buffer.from(bytes).toString("utf8")));
}

const numberedName = /^(\d{6})\.json$/;

/** A generation, and those before it that failed: what they were answered is not asked again. */
async function goesOnFrom(store: ObjectStore, { runId, stepId, generation }: Asking): Promise<Asking[]> {
  const ledger = openLedger(store, runId);
  const places: Asking[] = [{ runId, stepId, generation }];
  for (let n = generation - 1; n >= 1; n -= 1) {
    // A child's record lies elsewhere; it is there again only because it had failed.
    if ((await ledger.record({ stepId, generation: n })) !== null) break;
    places.push({ runId, stepId, generation: n });
  }
  return places;
}

/** The generation of a step that its run ended with. The record of a child lies with its parent, which only that knows. */
async function newestRecord(store: ObjectStore, runId: string, stepId: string): Promise<number | null> {
  const prefix = `runs/${runId}/${ledgerKeys.steps}${stepId}.g`;
  const own = await lastNumber(store, prefix, /^(\d+)\.json$/);
  if (own !== null) return own;
  const ofChild = new RegExp(`/records/${stepId}\\.g(\\d+)\\.json$`);
  return lastNumber(store, `runs/${runId}/${ledgerKeys.children}`, ofChild);
}

/** Runs whose manifests are remembered. */
const rememberedRuns = 100;

/** Reads from the ledgers of the store's runs. It is asked before each call: a manifest, which never changes, is read once. */
export function openModelFacts(store: ObjectStore): ModelFacts {
  const manifests = new RecentlyUsed<string, RunManifest>(rememberedRuns);

  async function manifestOf(runId: string): Promise<RunManifest> {
    const manifest = manifests.get(runId) ?? (await openLedger(store, runId).manifest());
    manifests.set(runId, manifest);
    return manifest;
  }

  return {
    async budgetOf(runId) {
      const { options } = await manifestOf(runId);
      const last = await lastBudget(store, runId);
      return {
        usd: last?.budget_usd ?? options.budget_usd,
        tokens: last?.budget_tokens ?? options.budget_tokens,
        searches: last?.budget_searches ?? options.budget_searches,
        pages: last?.budget_pages ?? options.budget_pages,
      };
    },
    async answersOf(asking) {
      const source = (await manifestOf(asking.runId)).replay_of;
      if (source === undefined) return { places: await goesOnFrom(store, asking), only: false };
      // Without it nobody could tell what was asked.
      await manifestOf(source);
      const generation = await newestRecord(store, source, asking.stepId);
      const places =
        generation === null ? [] : await goesOnFrom(store, { ...asking, runId: source, generation });
      return { places, only: true };
    },
  };
}

/** Sets the most that a run may spend, all in all: what is said counts in place of what was said of it before. */
export async function setBudget(store: ObjectStore, runId: string, budget: RunBudget): Promise<void> {
  const said = Object.fromEntries(Object.entries(budget).filter(([, most]) => most !== undefined));
  if (Object.keys(said).length === 0) return;
  for (;;) {
    const last = await lastBudget(store, runId);
    const n = (last?.n ?? 0) + 1;
    const record = budgetSchema.parse({ ...last, ...said, n, at: new Date().toISOString() });
    try {
      await store.create(budgetsOf(runId) + numbered(n), `${JSON.stringify(record, null, 2)}\n`);
      return;
    } catch (error) {
      if (!isProofroomError(error) || error.code !== "conflict") throw error;
    }
  }
}
