import type { BudgetHold, BudgetHolds } from "@proofroom/contracts";

/** What Redis holds, for all who share this object. */
export function createLocalHolds(): BudgetHolds {
  const all: BudgetHold[] = [];
  return {
    renewMs: 60_000,
    async hold(mine) {
      if (!all.some(({ id }) => id === mine.id)) all.push(mine);
      const before: Record<string, number> = {};
      for (const { runId, id, amounts } of all) {
        if (id === mine.id) break;
        if (runId !== mine.runId) continue;
        for (const [kind, amount] of Object.entries(amounts)) before[kind] = (before[kind] ?? 0) + amount;
      }
      return before;
    },
    async release({ id }) {
      const at = all.findIndex((hold) => hold.id === id);
      if (at !== -1) all.splice(at, 1);
    },
  };
}
