import type { ObjectStore } from "@proofroom/artifacts";
import type { PublicError, StepRecord } from "@proofroom/contracts";
import { authorOf } from "./canonical.ts";
import { openLedgerFiles } from "./ledger-files.ts";
import { ledgerKeys } from "./ledger-keys.ts";
import { openRunLedger, type RunLedger, type RunStanding } from "./run-ledger.ts";
import { openStepLedger, type StepLedger } from "./step-ledger.ts";

/** What the ledger knows of one top-level step, at its newest generation. */
export interface StepState {
  stepId: string;
  generation: number;
  record: StepRecord | null;
  /** Why the newest generation failed for good, where it did. */
  failure: PublicError | null;
}

export interface LedgerState extends RunStanding {
  steps: ReadonlyMap<string, StepState>;
}

/** The append-only records of a run. Every file is created once; of two writers the first wins. */
export interface Ledger extends RunLedger, StepLedger {
  readonly runId: string;
  load(): Promise<LedgerState>;
}

export function openLedger(store: ObjectStore, runId: string): Ledger {
  const files = openLedgerFiles(store, runId);
  const run = openRunLedger(files, runId);
  const step = openStepLedger(files);
  return {
    runId,
    ...run,
    ...step,
    async load() {
      const [head, records, requests, attempts] = await Promise.all([
        run.standing(),
        files.names(ledgerKeys.steps),
        files.names(ledgerKeys.generations),
        files.names(ledgerKeys.attempts),
      ]);
      const newest = new Map<string, number>();
      for (const name of [...records, ...requests, ...attempts]) {
        const match = /^(.+?)\.g(\d+)(?:\.json|\/)/.exec(name);
        if (match?.[1] !== undefined)
          newest.set(match[1], Math.max(newest.get(match[1]) ?? 1, Number(match[2])));
      }
      const failed = new Set(attempts.filter((name) => name.endsWith("/final.json")));
      const states = [...newest].map(async ([stepId, generation]): Promise<StepState> => {
        const ref = { stepId, generation };
        const record = await step.record(ref);
        const isFailed = failed.has(`${authorOf(stepId, generation)}/final.json`);
        const error = isFailed ? await step.failure(ref) : null;
        // What was cancelled stays so, though an execution that had not heard of it finished later.
        if (error?.code === "cancelled") return { ...ref, record: null, failure: error };
        return { ...ref, record, failure: record === null ? error : null };
      });
      const steps = new Map((await Promise.all(states)).map((state) => [state.stepId, state]));
      return { ...head, steps };
    },
  };
}
