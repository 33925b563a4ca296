import { type ObjectStore, readObject, tryReadObject } from "@proofroom/artifacts";
import {
  type Attempt,
  attemptSchema,
  type Epoch,
  epochSchema,
  type GenerationRequest,
  generationSchema,
  isProofroomError,
  type Outcome,
  outcomeSchema,
  ProofroomError,
  type PublicError,
  type RunManifest,
  runManifestSchema,
  type StepRecord,
  stepRecordSchema,
} from "@proofroom/contracts";
import { ulid } from "ulid";
import type { z } from "zod";
import { authorOf } from "./canonical.ts";
import { attemptsFolder, childrenFolder, ledgerKeys, movingKey, numbered, recordKey } from "./ledger-keys.ts";

export interface StepRef {
  stepId: string;
  generation: number;
  /** Of a child: the step that fanned it out. */
  parent?: string | undefined;
}

/** What the ledger knows of one top-level step, at its newest generation. */
export interface StepState {
  stepId: string;
  generation: number;
  record: StepRecord | null;
  /** Why the newest generation failed for good, where it did. */
  failure: PublicError | null;
}

interface RunStanding {
  manifest: RunManifest;
  epoch: Epoch | null;
  /** How the newest epoch ended; null while the run moves. */
  outcome: Outcome | null;
}

export interface LedgerState extends RunStanding {
  steps: ReadonlyMap<string, StepState>;
}

/** How an execution failed. */
interface Failing {
  /** Whether the step will not be tried again by itself. */
  final: boolean;
  /** When one that only waits will go on. */
  resumesAt?: string | undefined;
}

/** The append-only records of a run. Every file is created once; of two writers the first wins. */
export interface Ledger {
  readonly runId: string;
  manifest(): Promise<RunManifest>;
  createManifest(manifest: RunManifest): Promise<void>;
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
  /** Opens the next epoch unless one is open. `traceparent` names the span that does. */
  open(reason: Epoch["reason"], traceparent?: string): Promise<Epoch>;
  /** Ends an epoch; the first outcome stands. */
  close(outcome: Outcome): Promise<Outcome>;
  /** The outcome of the newest epoch, or null while it runs (or where there is none). */
  outcome(): Promise<Outcome | null>;
  /** Asks for a generation of a step: its first from outside, or a further one. Null where it had been asked for already. */
  requestGeneration(
    stepId: string,
    generation: number,
    reason: GenerationRequest["reason"],
    input?: Pick<GenerationRequest, "input" | "input_ref" | "traceparent">,
  ): Promise<GenerationRequest | null>;
  /** What was asked for by that, or null. */
  request(step: StepRef): Promise<GenerationRequest | null>;
  /** How the run stands, without its steps. */
  standing(): Promise<RunStanding>;
  load(): Promise<LedgerState>;
}

export function openLedger(store: ObjectStore, runId: string): Ledger {
  const base = `runs/${runId}/`;
  const known = new Map<string, unknown>();

  async function read<Schema extends z.ZodType>(
    key: string,
    schema: Schema,
  ): Promise<z.output<Schema> | null> {
    const cached = known.get(key);
    if (cached !== undefined) return cached as z.output<Schema>;
    const bytes = await tryReadObject(store, base + key);
    if (bytes === null) return null;
    const value = schema.parse(JSON.parse(Buffer.from(bytes).toString("utf8")));
    known.set(key, value);
    return value;
  }

  /** False where the file stands already. */
  async function create(key: string, value: unknown): Promise<boolean> {
    try {
      await store.create(base + key, `${JSON.stringify(value, null, 2)}\n`);
      return true;
    } catch (error) {
      if (isProofroomError(error) && error.code === "conflict") return false;
      throw error;
    }
  }

  /** Leaves an empty mark in the store, outside the run. */
  async function note(key: string): Promise<void> {
    try {
      await store.create(key, "");
    } catch (error) {
      if (!isProofroomError(error) || error.code !== "conflict") throw error;
    }
  }

  async function names(folder: string): Promise<string[]> {
    const found: string[] = [];
    for await (const info of store.list(base + folder))
      found.push(info.key.slice(base.length + folder.length));
    return found;
  }

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
    runId,
    manifest,
    async createManifest(value) {
      if (!(await create(ledgerKeys.manifest, value))) {
        throw new ProofroomError({ code: "conflict", message: `The run ${runId} exists already.` });
      }
    },
    record: (step) => read(recordKey(step), stepRecordSchema),
    async commit(step, record) {
      if (await create(recordKey(step), record)) return { record, adopted: false };
      const bytes = await readObject(store, base + recordKey(step));
      return {
        record: stepRecordSchema.parse(JSON.parse(Buffer.from(bytes).toString("utf8"))),
        adopted: true,
      };
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
    async requestGeneration(stepId, generation, reason, input = {}) {
      const at = new Date().toISOString();
      const request: GenerationRequest = { step_id: stepId, generation, reason, at, ...input };
      return (await create(requestKey({ stepId, generation }), request)) ? request : null;
    },
    request: (step) => read(requestKey(step), generationSchema),
    standing,
    async load() {
      const [head, records, requests, attempts] = await Promise.all([
        standing(),
        names(ledgerKeys.steps),
        names(ledgerKeys.generations),
        names(ledgerKeys.attempts),
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
        const record = await read(recordKey(ref), stepRecordSchema);
        const isFailed = failed.has(`${authorOf(stepId, generation)}/final.json`);
        const error = isFailed ? await failure(ref) : null;
        // What was cancelled stays so, though an execution that had not heard of it finished later.
        if (error?.code === "cancelled") return { ...ref, record: null, failure: error };
        return { ...ref, record, failure: record === null ? error : null };
      });
      const steps = new Map((await Promise.all(states)).map((state) => [state.stepId, state]));
      return { ...head, steps };
    },
  };
}
