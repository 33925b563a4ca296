import { ProofroomError } from "@proofroom/contracts";

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
   * Makes a call if the run's budget allows for it. Where it does not only for what other calls under way in this process may take
   * at most, it waits for those to end: mostly they take less. Calls of other processes count once they are answered.
   * @throws ProofroomError budget; the signal's reason
   */
  within<T>(spending: Spending, call: () => Promise<T>): Promise<T>;
}

/** What is known of one run while anybody wants to make a call for it. */
interface Run {
  callers: number;
  /** What each of the calls under way may take at most. */
  underWay: Set<readonly Demand[]>;
  /** Resolves when one of those has ended. */
  ended: PromiseWithResolvers<void>;
  /** Resolves when all who came so far have been let through or turned away: one is judged after the other. */
  judged: Promise<void>;
}

/** What a call takes of something that is limited. */
interface Demand {
  kind: BudgetKind;
  atMost: number;
  limit: number;
}

export function createBudgets({ budgetOf, spentBy }: BudgetOptions): Budgets {
  const runs = new Map<string, Run>();

  async function demandsOf({ runId, atMost }: Spending): Promise<Demand[]> {
    const wanted = budgetKinds.filter((kind) => (atMost[kind] ?? 0) > 0);
    const limits = wanted.length === 0 ? {} : await budgetOf(runId);
    return wanted.flatMap((kind) => {
      const limit = limits[kind];
      return limit === undefined ? [] : [{ kind, limit, atMost: atMost[kind] ?? 0 }];
    });
  }

  /** Added up anew each time: where nothing is under way it is nothing, whatever fractions of dollars came and went. */
  function underWayIn({ underWay }: Run, kind: BudgetKind): number {
    const all = [...underWay].flat().filter((demand) => demand.kind === kind);
    return all.reduce((sum, { atMost }) => sum + atMost, 0);
  }

  /** Waits for the budget to hold the call, and counts it as under way. */
  async function admit(run: Run, demands: readonly Demand[], { runId, signal }: Spending): Promise<void> {
    const before = run.judged;
    const mine = Promise.withResolvers<void>();
    run.judged = mine.promise;
    try {
      await orAborted(before, signal);
      for (;;) {
        // Before the recordings are read: what ends meanwhile is counted twice rather than not at all.
        const { ended } = run;
        const others = demands.map(({ kind }) => underWayIn(run, kind));
        const spent = await spentBy(runId);
        const tooMuch = (demand: Demand, underWay = 0) =>
          spent[demand.kind] + underWay + demand.atMost > demand.limit;
        if (!demands.some((demand, at) => tooMuch(demand, others[at]))) {
          run.underWay.add(demands);
          return;
        }
        const over = demands.find((demand) => tooMuch(demand));
        if (over !== undefined) throw spentUp(spent[over.kind], over);
        await orAborted(ended.promise, signal);
      }
    } finally {
      void before.then(mine.resolve);
    }
  }

  async function make<T>(run: Run, demands: readonly Demand[], call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } finally {
      run.underWay.delete(demands);
      run.ended.resolve();
      run.ended = Promise.withResolvers();
    }
  }

  return {
    async within(spending, call) {
      const { runId } = spending;
      const demands = await demandsOf(spending);
      if (demands.length === 0) return call();
      const run = runs.get(runId) ?? {
        callers: 0,
        underWay: new Set(),
        ended: Promise.withResolvers(),
        judged: Promise.resolve(),
      };
      runs.set(runId, run);
      run.callers += 1;
      try {
        await admit(run, demands, spending);
        return await make(run, demands, call);
      } finally {
        run.callers -= 1;
        if (run.callers === 0) runs.delete(runId);
      }
    },
  };
}

/** @throws the signal's reason when it aborts before the work is done */
async function orAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const stop = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    await Promise.race([work, aborted.promise]);
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
