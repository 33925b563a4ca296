import {
  type Epoch,
  epochSchema,
  type Outcome,
  outcomeSchema,
  ProofroomError,
  type RunManifest,
  runManifestSchema,
} from "@proofroom/contracts";
import type { LedgerFiles } from "./ledger-files.ts";
import { ledgerKeys, movingKey, numbered } from "./ledger-keys.ts";

export interface RunStanding {
  manifest: RunManifest;
  epoch: Epoch | null;
  /** How the newest epoch ended; null while the run moves. */
  outcome: Outcome | null;
}

/** What a run was asked for, and how it was set in motion and ended. */
export interface RunLedger {
  manifest(): Promise<RunManifest>;
  createManifest(manifest: RunManifest): Promise<void>;
  /** Opens the next epoch unless one is open. `traceparent` names the span that does. */
  open(reason: Epoch["reason"], traceparent?: string): Promise<Epoch>;
  /** Ends an epoch; the first outcome stands. */
  close(outcome: Outcome): Promise<Outcome>;
  /** The outcome of the newest epoch, or null while it runs (or where there is none). */
  outcome(): Promise<Outcome | null>;
  /** Whether the run is gone, or was never made: nothing of it is to be written any more. */
  isRemoved(): Promise<boolean>;
  /** How the run stands, without its steps. */
  standing(): Promise<RunStanding>;
}

export function openRunLedger({ read, create, isThere, note, names }: LedgerFiles, runId: string): RunLedger {
  async function manifest(): Promise<RunManifest> {
    const value = await read(ledgerKeys.manifest, runManifestSchema);
    if (value === null) {
      throw new ProofroomError({
        code: "not_found",
        message: `There is no run ${runId}.`,
        remedy: "The list of runs shows which there are.",
      });
    }
    return value;
  }

  async function outcomeOf(epoch: Epoch | null): Promise<Outcome | null> {
    return epoch === null ? null : read(ledgerKeys.outcomes + numbered(epoch.n), outcomeSchema);
  }

  /** The newest epoch that was seen; undefined until somebody has looked. */
  let seen: Epoch | null | undefined;

  /**
   * The newest epoch, and how it ended. The epochs are listed once; afterwards one small read tells whether anything has
   * changed, since none is opened before the one before it has an outcome. It is asked with every artifact written.
   */
  async function newestEpoch(): Promise<Pick<RunStanding, "epoch" | "outcome">> {
    if (seen === undefined) {
      const last = (await names(ledgerKeys.epochs)).at(-1);
      seen = last === undefined ? null : await read(ledgerKeys.epochs + last, epochSchema);
      return { epoch: seen, outcome: await outcomeOf(seen) };
    }
    for (let epoch = seen; ; seen = epoch) {
      const outcome = await outcomeOf(epoch);
      if (epoch !== null && outcome === null) return { epoch, outcome };
      const next = await read(ledgerKeys.epochs + numbered((epoch?.n ?? 0) + 1), epochSchema);
      if (next === null) return { epoch, outcome };
      epoch = next;
    }
  }

  async function standing(): Promise<RunStanding> {
    const [head, { epoch, outcome }] = await Promise.all([manifest(), newestEpoch()]);
    return { manifest: head, epoch, outcome };
  }

  return {
    manifest,
    async createManifest(value) {
      if (!(await create(ledgerKeys.manifest, value))) {
        throw new ProofroomError({ code: "conflict", message: `The run ${runId} exists already.` });
      }
    },
    async open(reason, traceparent) {
      for (;;) {
        const { epoch, outcome } = await newestEpoch();
        if (epoch !== null && outcome === null) {
          await note(movingKey(runId, epoch.n));
          return epoch;
        }
        const next: Epoch = {
          n: (epoch?.n ?? 0) + 1,
          reason,
          at: new Date().toISOString(),
          ...(traceparent === undefined ? {} : { traceparent }),
        };
        await note(movingKey(runId, next.n));
        if (await create(ledgerKeys.epochs + numbered(next.n), next)) return next;
      }
    },
    async close(outcome) {
      if (await create(ledgerKeys.outcomes + numbered(outcome.n), outcome)) return outcome;
      return (await read(ledgerKeys.outcomes + numbered(outcome.n), outcomeSchema)) ?? outcome;
    },
    outcome: async () => (await newestEpoch()).outcome,
    isRemoved: async () => !(await isThere(ledgerKeys.manifest)),
    standing,
  };
}
