import type { ObjectStore } from "@proofroom/artifacts";
import type { BudgetHolds } from "@proofroom/contracts";
import { type BudgetOptions, type Budgets, createBudgets } from "./budget.ts";
import { createSpentByRuns, type SpentByRuns } from "./spent.ts";

/** What the runs of a store spend, on models and on others: those share one budget. */
export interface Spending {
  readonly budgets: Budgets;
  readonly spent: SpentByRuns;
}

export function openSpending(
  store: ObjectStore,
  runs: Pick<BudgetOptions, "budgetOf">,
  holds: BudgetHolds,
): Spending {
  const spent = createSpentByRuns(store);
  const budgets = createBudgets({
    budgetOf: (runId) => runs.budgetOf(runId),
    spentBy: (runId) => spent.of(runId),
    holds,
  });
  return { budgets, spent };
}

/** Of runs that have no budget. */
export function unlimitedSpending(store: ObjectStore): Spending {
  return { budgets: { within: (_spending, call) => call() }, spent: createSpentByRuns(store) };
}
