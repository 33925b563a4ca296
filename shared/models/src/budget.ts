import { ProofroomError } from "@proofroom/contracts";

export interface BudgetOptions {
  /** The most that a run may spend, in US dollars; null without a limit. */
  budgetOf(runId: string): Promise<number | null>;
  /** What the answered calls of a run have cost, in US dollars. */
  spentBy(runId: string): Promise<number>;
}

interface Spending {
  runId: string;
  /** The most that the call may cost, in US dollars. */
  atMost: number;
  signal: AbortSignal;
}

/** Keeps the calls of each run within its budget. */
export interface Budgets {
  /**
   * Makes a call if the run's budget allows for it. Where it does not only for what other calls under way in this process may cost
   * at most, it waits for those to end: mostly they cost less. Calls of other processes count once they are answered.
   * @throws ProofroomError budget; the signal's reason
   */
  within<T>(spending: Spending, call: () => Promise<T>): Promise<T>;
}

/** What is known of one run while anybody wants to make a call for it. */
interface Run {
  callers: number;
  /** What the calls under way may cost at most. */
  underWay: number;
  /** Resolves when one of those has ended. */
  ended: PromiseWithResolvers<void>;
  /** Resolves when all who came so far have been let through or turned away: one is judged after the other. */
  judged: Promise<void>;
}

export function createBudgets({ budgetOf, spentBy }: BudgetOptions): Budgets {
  const runs = new Map<string, Run>();

  /** Waits for the budget to hold the call, and counts it as under way. */
  async function admit(run: Run, budget: number, { runId, atMost, signal }: Spending): Promise<void> {
    const before = run.judged;
    const mine = Promise.withResolvers<void>();
    run.judged = mine.promise;
    try {
      await orAborted(before, signal);
      for (;;) {
        // Before the recordings are read: what ends meanwhile is counted twice rather than not at all.
        const { underWay, ended } = run;
        const spent = await spentBy(runId);
        if (spent + underWay + atMost <= budget) {
          run.underWay += atMost;
          return;
        }
        if (spent + atMost > budget) throw spentUp(spent, budget, atMost);
        await orAborted(ended.promise, signal);
      }
    } finally {
      void before.then(mine.resolve);
    }
  }

  async function make<T>(run: Run, atMost: number, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } finally {
      run.underWay -= atMost;
      run.ended.resolve();
      run.ended = Promise.withResolvers();
    }
  }

  return {
    async within(spending, call) {
      const { runId, atMost } = spending;
      const budget = atMost === 0 ? null : await budgetOf(runId);
      if (budget === null) return call();
      const run = runs.get(runId) ?? {
        callers: 0,
        underWay: 0,
        ended: Promise.withResolvers(),
        judged: Promise.resolve(),
      };
      runs.set(runId, run);
      run.callers += 1;
      try {
        await admit(run, budget, spending);
        return await make(run, atMost, call);
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

function spentUp(spent: number, budget: number, atMost: number): ProofroomError {
  return new ProofroomError({
    code: "budget",
    message: `The run has spent $${spent.toFixed(4)} on models, and $${budget.toFixed(2)} is its budget; the next call may cost $${atMost.toFixed(4)}.`,
    remedy: "Resume the run with a higher budget: it goes on from here.",
  });
}
