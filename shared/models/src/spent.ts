import type { ObjectStore } from "@proofroom/artifacts";
import type { Amounts } from "./budget.ts";
import { type Recording, readRecording, recordingKeys, recordingsOf } from "./recording.ts";

export interface Spent {
  /** Calls of models. */
  calls: number;
  inputTokens: number;
  outputTokens: number;
  /** US dollars, at list prices, of models and searches. */
  cost: number;
  /** Calls of models whose price is not known: the cost leaves them out. */
  unpricedCalls: number;
  /** Calls by the name of the model. */
  models: Record<string, number>;
  /** Searches by provider, and those of them whose price is not known. */
  searches: Record<string, number>;
  unpricedSearches: number;
  /** Pages that were fetched. */
  pages: number;
}

function countIn(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

/** What the calls of a run have come to. */
export async function spentOn(store: ObjectStore, runId: string): Promise<Spent> {
  const total: Spent = {
    calls: 0,
    inputTokens: 0,
    outputTokens: 0,
    cost: 0,
    unpricedCalls: 0,
    models: {},
    searches: {},
    unpricedSearches: 0,
    pages: 0,
  };
  for await (const recording of recordingsOf(store, runId)) {
    total.cost += recording.cost;
    if (recording.kind === "page") total.pages += 1;
    else if (recording.kind === "search") {
      countIn(total.searches, recording.provider);
      if (!recording.priced) total.unpricedSearches += 1;
    } else {
      total.calls += 1;
      total.inputTokens += recording.usage.inputTokens;
      total.outputTokens += recording.usage.outputTokens;
      if (!recording.priced) total.unpricedCalls += 1;
      countIn(total.models, recording.model);
    }
  }
  return total;
}

const nothing: Amounts = { usd: 0, tokens: 0, searches: 0, pages: 0 };

function amountsOf(recording: Recording): Amounts {
  const { kind, cost: usd } = recording;
  if (kind === "search") return { ...nothing, usd, searches: 1 };
  if (kind === "page") return { ...nothing, usd, pages: 1 };
  return { ...nothing, usd, tokens: recording.usage.inputTokens + recording.usage.outputTokens };
}

function sum(one: Amounts, other: Amounts): Amounts {
  return {
    usd: one.usd + other.usd,
    tokens: one.tokens + other.tokens,
    searches: one.searches + other.searches,
    pages: one.pages + other.pages,
  };
}

/** Runs of which is remembered what they have spent. */
const rememberedRuns = 100;

/** What the calls of runs have taken. It is asked before each call: no recording is read for it twice. */
export interface SpentByRuns {
  of(runId: string): Promise<Amounts>;
  /** A recording that was kept under that key just now need not be read at all. */
  note(runId: string, key: string, recording: Recording): void;
}

export function createSpentByRuns(store: ObjectStore): SpentByRuns {
  /** By run and key. A recording never changes. */
  const runs = new Map<string, Map<string, Amounts>>();

  function knownOf(runId: string): Map<string, Amounts> {
    const known = runs.get(runId) ?? new Map<string, Amounts>();
    runs.delete(runId);
    runs.set(runId, known);
    for (const oldest of runs.keys()) if (runs.size > rememberedRuns) runs.delete(oldest);
    return known;
  }

  return {
    async of(runId) {
      const known = knownOf(runId);
      for await (const key of recordingKeys(store, runId)) {
        if (known.has(key)) continue;
        const recording = await readRecording(store, key);
        known.set(key, recording === null ? nothing : amountsOf(recording));
      }
      return known.values().reduce(sum, nothing);
    },
    note(runId, key, recording) {
      knownOf(runId).set(key, amountsOf(recording));
    },
  };
}
