import type { ObjectStore } from "@proofroom/artifacts";
import { type BudgetOptions, type Budgets, createBudgets } from "./budget.ts";
import { createSpentByRuns, type SpentByRuns } from "./spent.ts";

/** What the runs of a store spend in this process, on models and on others: those share one budget. */
export interface Spending {
  readonly budgets: Budgets;
  readonly spent: SpentByRuns;
}

export function openSpending(store: ObjectStore, runs: Pick<BudgetOptions, "budgetOf">): Spending {
  const spent = createSpentByRuns(store);
  const budgets = createBudgets({
    budgetOf: (runId) => runs.budgetOf(runId),
    spentBy: (runId) => spent.of(runId),
  });
  return { budgets, spent };
}
