import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type BudgetHold, type BudgetHolds, ProofroomError } from "@proofroom/contracts";

/** What a budget may limit: US dollars, tokens of models, searches, pages that are fetched. */
const budgetKinds = ["usd", "tokens", "searches", "pages"] as const;
type BudgetKind = (typeof budgetKinds)[number];

/** How much of each. */
export type Amounts = Readonly<Record<BudgetKind, number>>;

/** The most that a run may spend, all in all; no limit where nothing is said. */
export type Limits = { readonly [Kind in BudgetKind]?: number | undefined };

export interface BudgetOptions {
  budgetOf(runId: string): Promise<Limits>;
  /** What the answered calls of a run have taken. */
  spentBy(runId: string): Promise<Amounts>;
  /** What calls under way may take, in all processes. */
  holds: BudgetHolds;
  /** How long a call waits before it asks again what those before it hold, in milliseconds. */
  askAgainMs?: number;
  /** How long a call waits for those before it until its step goes back into the queue, in milliseconds. */
  patienceMs?: number;
}

interface Spending {
  runId: string;
  /** The most that the call may take. */
  atMost: Partial<Amounts>;
  signal: AbortSignal;
}

/** Keeps the calls of each run within its budget. */
export interface Budgets {
  /**
   * Makes a call if the run's budget allows for it. Where it does not only for what other calls may take at most that came before,
   * it waits some seconds for those to end: mostly they take less. A process that froze in a call is no longer reckoned with.
   * @throws ProofroomError budget; quota, to wait, where those before it take longer; dependency_down; the signal's reason
   */
  within<T>(spending: Spending, call: () => Promise<T>): Promise<T>;
}

/** What a call takes of something. */
type Wanted = readonly [BudgetKind, number];

/** What a call takes of something that is limited. */
interface Demand {
  kind: BudgetKind;
  atMost: number;
  limit: number;
}

const againMs = 100;

/** Far less than the time limit of any step: what it waits here is taken from the time that it has for its work. */
const usualPatienceMs = 10_000;

/** A step comes back after this or up to twice as long, in milliseconds: not all of them at once. */
const comeBackMs = 5_000;

export function createBudgets(options: BudgetOptions): Budgets {
  const { budgetOf, spentBy, holds, askAgainMs = againMs, patienceMs = usualPatienceMs } = options;

  /** What is limited of what a call takes, by what the budget is now. */
  async function demandsOf(runId: string, wanted: readonly Wanted[]): Promise<Demand[]> {
    const limits = wanted.length === 0 ? {} : await budgetOf(runId);
    return wanted.flatMap(([kind, atMost]) => {
      const limit = limits[kind];
      return limit === undefined ? [] : [{ kind, limit, atMost }];
    });
  }

  /** Waits for the budget to hold the call beside those before it. The budget may be raised meanwhile. */
  async function admit(mine: BudgetHold, wanted: readonly Wanted[], signal: AbortSignal): Promise<void> {
    const end = performance.now() + patienceMs;
    for (let known: string | undefined; ; ) {
      // Before the recordings are read: what ends meanwhile is counted twice rather than not at all.
      const before = await orAborted(holds.hold(mine), signal);
      const demands = await demandsOf(mine.runId, wanted);
      const found = JSON.stringify([before, demands]);
      if (found !== known) {
        known = found;
        const spent = await spentBy(mine.runId);
        const tooMuch = (demand: Demand, held = 0) =>
          spent[demand.kind] + held + demand.atMost > demand.limit;
        if (!demands.some((demand) => tooMuch(demand, before[demand.kind]))) return;
        const over = demands.find((demand) => tooMuch(demand));
        if (over !== undefined) throw spentUp(spent[over.kind], over);
      }
      if (performance.now() >= end) throw heldByOthers();
      await pause(askAgainMs, undefined, { signal });
    }
  }

  return {
    async within(spending, call) {
      const { runId, atMost, signal } = spending;
      const wanted = budgetKinds.flatMap((kind): Wanted[] => {
        const most = atMost[kind] ?? 0;
        return most > 0 ? [[kind, most]] : [];
      });
      if ((await demandsOf(runId, wanted)).length === 0) return call();
      const mine: BudgetHold = { runId, id: randomUUID(), amounts: Object.fromEntries(wanted) };
      const renewing = setInterval(() => void holds.hold(mine).catch(() => undefined), holds.renewMs);
      try {
        await admit(mine, wanted, signal);
        return await call();
      } finally {
        clearInterval(renewing);
        // Nothing waits for a Redis that is away: it is over when it is not renewed.
        void holds.release(mine).catch(() => undefined);
      }
    },
  };
}

/** @throws the signal's reason when it aborts before the work is done */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const stop = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

const spentTexts: Readonly<Record<BudgetKind, (spent: number, demand: Demand) => string>> = {
  usd: (spent, { limit, atMost }) =>
    `The run has spent $${spent.toFixed(4)} on models and searches, and $${limit.toFixed(2)} is its budget; the next call may cost $${atMost.toFixed(4)}.`,
  tokens: (spent, { limit, atMost }) =>
    `The run has used ${spent} tokens of models, and ${limit} are its budget; the next call may use ${atMost}.`,
  searches: (spent, { limit }) => `The run has made ${spent} searches, and ${limit} are its budget.`,
  pages: (spent, { limit }) => `The run has fetched ${spent} pages, and ${limit} are its budget.`,
};

function spentUp(spent: number, demand: Demand): ProofroomError {
  return new ProofroomError({
    code: "budget",
    message: spentTexts[demand.kind](spent, demand),
    remedy: "Resume the run with a higher budget: it goes on from here.",
  });
}

/** It is known as what models' limits are known as, so that whoever looks at the run is told when it goes on. */
function heldByOthers(): ProofroomError {
  return new ProofroomError({
    code: "quota",
    message: "Calls under way may take what is left of the run's budget. It goes on by itself.",
    disposition: { kind: "wait", delayMs: Math.round(comeBackMs * (1 + Math.random())) },
  });
}
