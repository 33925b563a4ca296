import { type CallTally, createTallies, type ObjectStore } from "@proofroom/artifacts";
import type { Recording } from "@proofroom/contracts";
import type { Amounts } from "./budget.ts";

const nothing: Amounts = { usd: 0, tokens: 0, searches: 0, pages: 0 };

function add(sum: Amounts, { kind, usd, inputTokens, outputTokens }: CallTally): Amounts {
  return {
    usd: sum.usd + usd,
    tokens: sum.tokens + inputTokens + outputTokens,
    searches: sum.searches + (kind === "search" ? 1 : 0),
    pages: sum.pages + (kind === "page" ? 1 : 0),
  };
}

/** What the calls of runs have taken. It is asked before each call: no recording is read for it twice. */
export interface SpentByRuns {
  of(runId: string): Promise<Amounts>;
  /** A recording that was kept under that key just now need not be read at all. */
  note(runId: string, key: string, recording: Recording): void;
}

export function createSpentByRuns(store: ObjectStore): SpentByRuns {
  const tallies = createTallies();
  return {
    of: async (runId) => (await tallies.of(store, runId)).reduce(add, nothing),
    note: tallies.note,
  };
}
