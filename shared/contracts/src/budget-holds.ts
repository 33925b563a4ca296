/** What a call may take of its run's budget, by what the budget limits. */
type HeldAmounts = Readonly<Record<string, number>>;

/** What one call keeps of its run's budget while it is made, or waits to be. */
export interface BudgetHold {
  runId: string;
  /** Of the call, and of no other. */
  id: string;
  /** The most that it may take. */
  amounts: HeldAmounts;
}

/** The port through which all processes know what each other's calls may take of a run's budget; the queue implements it. */
export interface BudgetHolds {
  /** How often a hold has to be renewed, in milliseconds: what is not renewed three times is its process's that is gone. */
  readonly renewMs: number;
  /**
   * Holds what the call may take, or renews that; its place among the others stays.
   * @returns what those before it hold, added up
   * @throws ProofroomError dependency_down
   */
  hold(hold: BudgetHold): Promise<HeldAmounts>;
  /** The call is over, and what it took is written down. */
  release(hold: Pick<BudgetHold, "runId" | "id">): Promise<void>;
}
