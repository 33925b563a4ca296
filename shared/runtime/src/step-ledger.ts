import {
  type Attempt,
  attemptSchema,
  type GenerationRequest,
  generationSchema,
  type PublicError,
  type StepRecord,
  stepRecordSchema,
} from "@proofroom/contracts";
import { ulid } from "ulid";
import { authorOf } from "./canonical.ts";
import type { LedgerFiles } from "./ledger-files.ts";
import { attemptsFolder, childrenFolder, ledgerKeys, recordKey, type StepRef } from "./ledger-keys.ts";

/** How an execution failed. */
interface Failing {
  /** Whether the step will not be tried again by itself. */
  final: boolean;
  /** When one that only waits will go on. */
  resumesAt?: string | undefined;
}

/** What has become of a run's steps. */
export interface StepLedger {
  record(step: StepRef): Promise<StepRecord | null>;
  /** Writes the record, or answers the one that stands already: what is there is adopted. */
  commit(step: StepRef, record: StepRecord): Promise<{ record: StepRecord; adopted: boolean }>;
  /** Notes that an execution begins; answers its id. */
  begin(step: StepRef): Promise<string>;
  fail(step: StepRef, attempt: string, error: PublicError, how: Failing): Promise<void>;
  /** Ends a step for good without an execution of its own; false where it had failed for good already. */
  giveUp(step: StepRef, error: PublicError): Promise<boolean>;
  /** Why the step failed for good at this generation, or null. */
  failure(step: StepRef): Promise<PublicError | null>;
  /** What has become of the children of a step, from one listing: each as its id and generation (`authorOf`). */
  children(parent: string): Promise<{ finished: ReadonlySet<string>; failed: ReadonlySet<string> }>;
  /** Those children of a step that began and have not ended. */
  openChildren(parent: string): Promise<StepRef[]>;
  /** How many executions began and neither failed nor were interrupted in order: their workers are gone, or wait. */
  lostStarts(step: StepRef): Promise<number>;
  /** Every start and failure of a step, oldest first: how "not executed again" is proved. */
  attempts(step: StepRef): Promise<Attempt[]>;
  /** Asks for a generation of a step: its first from outside, or a further one. Null where it had been asked for already. */
  requestGeneration(
    stepId: string,
    generation: number,
    reason: GenerationRequest["reason"],
    input?: Pick<GenerationRequest, "input" | "input_ref" | "traceparent">,
  ): Promise<GenerationRequest | null>;
  /** What was asked for by that, or null. */
  request(step: StepRef): Promise<GenerationRequest | null>;
}

export function openStepLedger({ read, create, names }: LedgerFiles): StepLedger {
  function finalKey(step: StepRef): string {
    return `${attemptsFolder(step)}final.json`;
  }

  function requestKey(step: StepRef): string {
    return `${ledgerKeys.generations}${authorOf(step.stepId, step.generation)}.json`;
  }

  async function failure(step: StepRef): Promise<PublicError | null> {
    return (await read(finalKey(step), attemptSchema))?.error ?? null;
  }

  return {
    record: (step) => read(recordKey(step), stepRecordSchema),
    async commit(step, record) {
      if (await create(recordKey(step), record)) return { record, adopted: false };
      return { record: (await read(recordKey(step), stepRecordSchema)) ?? record, adopted: true };
    },
    async begin(step) {
      const attempt = ulid();
      await create(`${attemptsFolder(step)}${attempt}.started.json`, {
        attempt,
        at: new Date().toISOString(),
        event: "started",
      } satisfies Attempt);
      return attempt;
    },
    async fail(step, attempt, error, { final, resumesAt }) {
      const at = new Date().toISOString();
      const waits = resumesAt === undefined ? {} : { resumes_at: resumesAt };
      const entry: Attempt = { attempt, at, event: "failed", error, final, ...waits };
      await create(`${attemptsFolder(step)}${attempt}.failed.json`, entry);
      if (final) await create(finalKey(step), entry);
    },
    async giveUp(step, error) {
      const at = new Date().toISOString();
      return create(finalKey(step), {
        attempt: ulid(),
        at,
        event: "failed",
        error,
        final: true,
      } satisfies Attempt);
    },
    failure,
    async children(parent) {
      const finished = new Set<string>();
      const failed = new Set<string>();
      for (const name of await names(childrenFolder(parent))) {
        const match = /^(?:records\/(.+)\.json|attempts\/(.+)\/final\.json)$/.exec(name);
        if (match?.[1] !== undefined) finished.add(match[1]);
        if (match?.[2] !== undefined) failed.add(match[2]);
      }
      return { finished, failed };
    },
    async openChildren(parent) {
      const begun = new Set<string>();
      const ended = new Set<string>();
      for (const name of await names(childrenFolder(parent))) {
        const match = /^(?:records\/(.+)\.json|attempts\/(.+?)\/(.+))$/.exec(name);
        const [, recorded, tried, file] = match ?? [];
        if (tried !== undefined) begun.add(tried);
        if (recorded !== undefined) ended.add(recorded);
        else if (tried !== undefined && file === "final.json") ended.add(tried);
      }
      return [...begun]
        .filter((name) => !ended.has(name))
        .map((name) => {
          const at = name.lastIndexOf(".g");
          return { stepId: name.slice(0, at), generation: Number(name.slice(at + 2)), parent };
        });
    },
    async lostStarts(step) {
      const found = await names(attemptsFolder(step));
      return (
        found.filter((name) => name.endsWith(".started.json")).length -
        found.filter((name) => name.endsWith(".failed.json")).length
      );
    },
    async attempts(step) {
      const folder = attemptsFolder(step);
      const entries: Attempt[] = [];
      for (const name of await names(folder)) {
        if (name === "final.json") continue;
        const entry = await read(folder + name, attemptSchema);
        if (entry !== null) entries.push(entry);
      }
      return entries.sort((a, b) =>
        (a.attempt + (a.event === "failed")).localeCompare(b.attempt + (b.event === "failed")),
      );
    },
    async requestGeneration(stepId, generation, reason, input = {}) {
      const at = new Date().toISOString();
      const request: GenerationRequest = { step_id: stepId, generation, reason, at, ...input };
      return (await create(requestKey({ stepId, generation }), request)) ? request : null;
    },
    request: (step) => read(requestKey(step), generationSchema),
  };
}
