import { isProofroomError, type Recording } from "@proofroom/contracts";
import type { ObjectStore } from "../store.ts";
import { readRecording, recordingKeys } from "./recording.ts";

/** What one answered call took. */
export interface CallTally {
  kind: Recording["kind"];
  /** Of the model or the search provider; empty for a page. */
  name: string;
  /** US dollars. */
  usd: number;
  /** False where no price is known; `usd` is 0 then. */
  priced: boolean;
  inputTokens: number;
  outputTokens: number;
}

/** What the calls of runs took. A recording never changes: none is read twice. */
export interface Tallies {
  /** Of a run, as far as the store given shows it. */
  of(store: ObjectStore, runId: string): Promise<readonly CallTally[]>;
  /** A recording that was kept under that key just now need not be read at all. */
  note(runId: string, key: string, recording: Recording): void;
}

/** Runs of which is remembered what their calls took. */
const rememberedRuns = 100;

/** So many recordings are read at a time. */
const atOnce = 16;

function tallyOf(recording: Recording): CallTally {
  const { kind, cost: usd, priced } = recording;
  const name = kind === "model" ? recording.model : kind === "search" ? recording.provider : "";
  const { inputTokens, outputTokens } =
    kind === "model" ? recording.usage : { inputTokens: 0, outputTokens: 0 };
  return { kind, name, usd, priced, inputTokens, outputTokens };
}

export interface TalliesOptions {
  /**
   * Whether a recording that cannot be read, as one of a later version, is left out: of what is shown, not of what a budget holds.
   * The call fails for it otherwise.
   */
  leavesOut?: boolean;
}

export function createTallies({ leavesOut = false }: TalliesOptions = {}): Tallies {
  /** By run and key. */
  const runs = new Map<string, Map<string, CallTally>>();

  function knownOf(runId: string): Map<string, CallTally> {
    const known = runs.get(runId) ?? new Map<string, CallTally>();
    runs.delete(runId);
    runs.set(runId, known);
    for (const oldest of runs.keys()) if (runs.size > rememberedRuns) runs.delete(oldest);
    return known;
  }

  /** What the store itself says is no fault of a recording. */
  function orLeaveOut(error: unknown): null {
    if (!leavesOut || isProofroomError(error)) throw error;
    return null;
  }

  return {
    async of(store, runId) {
      const keys = await Array.fromAsync(recordingKeys(store, runId));
      const known = knownOf(runId);
      const unread = keys.filter((key) => !known.has(key));
      for (let from = 0; from < unread.length; from += atOnce) {
        await Promise.all(
          unread.slice(from, from + atOnce).map(async (key) => {
            const recording = await readRecording(store, key).catch(orLeaveOut);
            if (recording !== null) known.set(key, tallyOf(recording));
          }),
        );
      }
      // Of what is listed alone: a run that was removed has taken nothing.
      return keys.flatMap((key) => known.get(key) ?? []);
    },
    note(runId, key, recording) {
      knownOf(runId).set(key, tallyOf(recording));
    },
  };
}
