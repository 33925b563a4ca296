import { type ObjectStore, readObject } from "@proofroom/artifacts";
import { budgetSchema, isProofroomError } from "@proofroom/contracts";
import { openLedger } from "./ledger.ts";
import { ledgerKeys, numbered } from "./ledger-keys.ts";

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

/** What the records of a run say about the asking of models. */
export interface ModelFacts {
  /** The most that the run may spend, in US dollars; null without a limit. */
  budgetOf(runId: string): Promise<number | null>;
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

/** Reads from the ledgers of the store's runs. */
export function openModelFacts(store: ObjectStore): ModelFacts {
  return {
    async budgetOf(runId) {
      const { options } = await openLedger(store, runId).manifest();
      const last = await lastNumber(store, budgetsOf(runId), numberedName);
      if (last === null) return options.budget_usd ?? null;
      const bytes = await readObject(store, budgetsOf(runId) + numbered(last));
      return budgetSchema.parse(JSON.parse(Buffer.from(bytes).toString("utf8"))).budget_usd;
    },
    async answersOf(asking) {
      const source = (await openLedger(store, asking.runId).manifest()).replay_of;
      if (source === undefined) return { places: await goesOnFrom(store, asking), only: false };
      // Without it nobody could tell what was asked.
      await openLedger(store, source).manifest();
      const generation = await newestRecord(store, source, asking.stepId);
      const places =
        generation === null ? [] : await goesOnFrom(store, { ...asking, runId: source, generation });
      return { places, only: true };
    },
  };
}

/** Sets the most that a run may spend on models, in US dollars: it counts in place of what was said before. */
export async function setBudget(store: ObjectStore, runId: string, usd: number): Promise<void> {
  for (;;) {
    const n = ((await lastNumber(store, budgetsOf(runId), numberedName)) ?? 0) + 1;
    const record = budgetSchema.parse({ n, budget_usd: usd, at: new Date().toISOString() });
    try {
      await store.create(budgetsOf(runId) + numbered(n), `${JSON.stringify(record, null, 2)}\n`);
      return;
    } catch (error) {
      if (!isProofroomError(error) || error.code !== "conflict") throw error;
    }
  }
}
