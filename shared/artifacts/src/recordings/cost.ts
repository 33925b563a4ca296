import type { RunCost } from "@proofroom/contracts";
import type { ObjectStore } from "../store.ts";
import { type CallTally, createTallies, type Tallies } from "./tallies.ts";

function countIn(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

/** What calls have come to; null where nobody was asked anything. */
function costOf(tallies: readonly CallTally[]): RunCost | null {
  if (tallies.length === 0) return null;
  const total: RunCost = {
    calls: 0,
    input_tokens: 0,
    output_tokens: 0,
    usd: 0,
    unpriced_calls: 0,
    models: {},
    searches: {},
    unpriced_searches: 0,
    pages: 0,
  };
  for (const { kind, name, usd, priced, inputTokens, outputTokens } of tallies) {
    total.usd += usd;
    if (kind === "page") total.pages += 1;
    else if (kind === "search") {
      countIn(total.searches, name);
      if (!priced) total.unpriced_searches += 1;
    } else {
      total.calls += 1;
      total.input_tokens += inputTokens;
      total.output_tokens += outputTokens;
      if (!priced) total.unpriced_calls += 1;
      countIn(total.models, name);
    }
  }
  // A millionth of a dollar is less than any call costs.
  return { ...total, usd: Math.round(total.usd * 1_000_000) / 1_000_000 };
}

/**
 * What the calls of a run have come to, as far as they can be read; null where nobody was asked anything.
 * @param tallies what is known already, where a run is asked about again and again
 */
export async function costOfRun(
  store: ObjectStore,
  runId: string,
  tallies: Pick<Tallies, "of"> = createTallies({ leavesOut: true }),
): Promise<RunCost | null> {
  return costOf(await tallies.of(store, runId));
}
