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
   * it waits for those to end: mostly they take less. A process that froze in a call is no longer reckoned with.
   * @throws ProofroomError budget; dependency_down; the signal's reason
   */
  within<T>(spending: Spending, call: () => Promise<T>): Promise<T>;
}

/** What a call takes of something that is limited. */
interface Demand {
  kind: BudgetKind;
  atMost: number;
  limit: number;
}

const againMs = 100;

export function createBudgets(options: BudgetOptions): Budgets {
  const { budgetOf, spentBy, holds, askAgainMs = againMs } = options;

  async function demandsOf({ runId, atMost }: Spending): Promise<Demand[]> {
    const wanted = budgetKinds.filter((kind) => (atMost[kind] ?? 0) > 0);
    const limits = wanted.length === 0 ? {} : await budgetOf(runId);
    return wanted.flatMap((kind) => {
      const limit = limits[kind];
      return limit === undefined ? [] : [{ kind, limit, atMost: atMost[kind] ?? 0 }];
    });
  }

  /** Waits for the budget to hold the call beside those before it. */
  async function admit(mine: BudgetHold, demands: readonly Demand[], signal: AbortSignal): Promise<void> {
    for (let known: string | undefined; ; ) {
      // Before the recordings are read: what ends meanwhile is counted twice rather than not at all.
      const before = await orAborted(holds.hold(mine), signal);
      const changed = JSON.stringify(before) !== known;
      known = JSON.stringify(before);
      if (changed) {
        const spent = await spentBy(mine.runId);
        const tooMuch = (demand: Demand, held = 0) =>
          spent[demand.kind] + held + demand.atMost > demand.limit;
        if (!demands.some((demand) => tooMuch(demand, before[demand.kind]))) return;
        const over = demands.find((demand) => tooMuch(demand));
        if (over !== undefined) throw spentUp(spent[over.kind], over);
      }
      await pause(askAgainMs, undefined, { signal });
    }
  }

  return {
    async within(spending, call) {
      const { runId, signal } = spending;
      const demands = await demandsOf(spending);
      if (demands.length === 0) return call();
      const amounts = Object.fromEntries(demands.map(({ kind, atMost }) => [kind, atMost]));
      const mine: BudgetHold = { runId, id: randomUUID(), amounts };
      const renewing = setInterval(() => void holds.hold(mine).catch(() => undefined), holds.renewMs);
      try {
        await admit(mine, demands, signal);
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
