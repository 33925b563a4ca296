import { setTimeout as pause } from "node:timers/promises";
import type { Budgets, Limits } from "./budget.ts";
import { type Candidate, createModelCalls, type ModelCallsOptions } from "./call-model.ts";
import { costOf } from "./cost.ts";
import type { ModelEntry, ModelsFile } from "./models-file.ts";
import { failureOf, faultsText, isUseless, noObstacles, notRecorded, type Obstacles } from "./obstacles.ts";
import { CallError, type Provider } from "./provider.ts";
import { askedAgain, putQuestion } from "./put-question.ts";
import { type Expectation, Flawed, readAnswer } from "./read-answer.ts";
import type { Asker, RecordedReply } from "./recordings.ts";
import { type ModelRequest, tokensOf, type Usage } from "./request.ts";
import { extractive, type Role } from "./roles.ts";

export interface Question<T> {
  role: Role;
  asker: Asker;
  request: Omit<ModelRequest, "schema">;
  expected: Expectation<T>;
  /** Whether the caller goes on by itself where models answer, and none of their answers can be used. */
  optional?: boolean;
  /**
   * Told when no model can be asked now, with the milliseconds until one is, and why: `busy` where all that stands in the
   * way are providers that are overloaded or broken; and what each model did. What it throws ends the asking.
   */
  onWait?(waitMs: number, why: "limits" | "busy", faults: string): void;
  signal: AbortSignal;
}

/** An answer and who gave it, as a reader knows them; or that the work is the caller's own: no model is there, or those that are gave no answer of use. */
export type Answered<T> = { by: string; value: T } | { by: typeof extractive; useless?: true };

export interface Models {
  /**
   * Asks the models of a role in the order of its cascade until one gives an answer that can be used.
   * @throws ProofroomError `quota` with the time to go on where all are cooling; `budget` where the run may spend no more;
   *   `not_configured` where keys are not accepted, or a role without `extractive` has no model; `unreachable` where all failed;
   *   `cancelled`
   */
  ask<T>(question: Question<T>): Promise<Answered<T>>;
  /** Whether any model of the role is configured. */
  has(role: Role): boolean;
}

/** What the records of a run say about asking models. */
export interface RunFacts {
  /** The most that the run may spend, all in all. */
  budgetOf(runId: string): Promise<Limits>;
  /**
   * Where answers to a step's questions may have been recorded, the most recent first; and whether nothing else counts, as in a
   * replay, which asks nobody.
   */
  answersOf(asker: Asker): Promise<{ places: readonly Asker[]; only: boolean }>;
}

export interface RouterOptions extends ModelCallsOptions {
  file: ModelsFile;
  /** By endpoint; those that are not configured are missing. */
  providers: ReadonlyMap<string, Provider>;
  /** What the provider calls a model, or undefined where the setting that names it is not set. */
  providerModel(entry: ModelEntry): string | undefined;
  /** What runs may spend. */
  budgets: Budgets;
  runs: Pick<RunFacts, "answersOf">;
}

/**
 * A wait that is this short is sat out by the worker; a longer one, or too many of them, gives the job back to the
 * queue until the time has come. Those that wait for the same thing come back spread over a little time. Milliseconds.
 */
const oneWaitMs = 30_000;
const allWaitsMs = 120_000;
const spreadMs = 50;
const longestBusyMs = 60_000;

/** A model whose answer was of no use is asked once more, and told why. */
const asksPerModel = 2;

/** A question while it is asked. */
interface Asking<T> {
  question: Question<T>;
  requestFor(entry: ModelEntry): ModelRequest | null;
  /** Of the step that asks: what was looked for among its recordings, and is not there. */
  unrecorded: Set<ModelRequest>;
}

/** Who answered. An entry whose model a setting names says nothing of that; what the provider calls the model does. */
function answererOf({ name, model_setting }: ModelEntry, providerModel: string): string {
  return model_setting === undefined ? name : providerModel;
}

function isSame(one: Asker, other: Asker): boolean {
  return one.runId === other.runId && one.stepId === other.stepId && one.generation === other.generation;
}

export function createRouter(options: RouterOptions): Models {
  const { file, providers, budgets, recordings, runs, log } = options;
  const calls = createModelCalls(options);

  function candidates(role: Role): Candidate[] {
    return file.roles[role].flatMap((name) => {
      const entry = file.models.get(name);
      const provider = entry === undefined ? undefined : providers.get(entry.endpoint);
      const model = entry === undefined ? undefined : options.providerModel(entry);
      return entry === undefined || provider === undefined || model === undefined
        ? []
        : [{ entry, provider, model }];
    });
  }

  /**
   * Asks one model, and once more where its answer is of no use. Null where there is none to be had from it.
   * @param replyTo null where it gives no reply
   */
  async function tryModel<T>(
    entry: ModelEntry,
    { question, requestFor }: Asking<T>,
    replyTo: (request: ModelRequest) => Promise<RecordedReply | null>,
    obstacles?: Obstacles,
  ): Promise<{ by: string; value: T } | null> {
    let request = requestFor(entry);
    for (let ask = 0; request !== null && ask < asksPerModel; ask += 1) {
      let found: RecordedReply | null;
      try {
        found = await replyTo(request);
      } catch (error) {
        if (error instanceof CallError && error.fault === "garbled") continue;
        throw error;
      }
      if (found === null) return null;
      const value = await readAnswer(found.reply, question.expected);
      if (!(value instanceof Flawed)) return { by: answererOf(entry, found.providerModel), value };
      log.warn({ model: entry.name, flaw: value.flaw }, "an answer was of no use");
      obstacles?.faults.push({ model: entry.name, what: value.flaw });
      request = value.flaw === "blocked" ? null : askedAgain(request, value, entry);
    }
    if (obstacles !== undefined) obstacles.useless += 1;
    return null;
  }

  /** The answer that is recorded, whoever gave it. */
  async function recall<T>(asking: Asking<T>, places: readonly Asker[]) {
    const { question, unrecorded } = asking;
    const entries = file.roles[question.role].flatMap((name) => file.models.get(name) ?? []);
    const looked = places.flatMap((place) =>
      entries.map((entry) =>
        tryModel(entry, asking, async (request) => {
          const found = await recordings.find(place, entry.name, request);
          if (found === null && isSame(place, question.asker)) unrecorded.add(request);
          return found;
        }),
      ),
    );
    return (await Promise.all(looked)).find((found) => found !== null) ?? null;
  }

  /** Asks one candidate. What it answered before, and was of no use, is not asked for again. */
  async function consult<T>(candidate: Candidate, asking: Asking<T>, obstacles: Obstacles) {
    const { entry } = candidate;
    const { question, unrecorded } = asking;
    const { asker, signal } = question;
    const reply = async (request: ModelRequest): Promise<RecordedReply | null> => {
      const recorded = unrecorded.has(request) ? null : await recordings.find(asker, entry.name, request);
      if (recorded !== null) return recorded;
      unrecorded.delete(request);
      const most: Usage = { inputTokens: tokensOf(request), outputTokens: request.maxTokens };
      const atMost = { usd: costOf(entry, most), tokens: most.inputTokens + most.outputTokens };
      return budgets.within({ runId: asker.runId, atMost, signal }, () =>
        calls.make(candidate, question, request, obstacles),
      );
    };
    return tryModel(
      entry,
      asking,
      async (request) => {
        try {
          return await reply(request);
        } catch (error) {
          if (!(error instanceof CallError)) throw error;
          await calls.note(candidate, error, obstacles);
          if (error.fault === "garbled") throw error;
          return null;
        }
      },
      obstacles,
    );
  }

  return {
    has: (role) => candidates(role).length > 0,
    async ask<T>(question: Question<T>): Promise<Answered<T>> {
      const { role, signal, asker } = question;
      const able = candidates(role);
      const { places, only } = await runs.answersOf(asker);
      if (!only && able.length === 0 && file.roles[role].includes(extractive)) return { by: extractive };
      const asking: Asking<T> = { question, requestFor: putQuestion(question), unrecorded: new Set() };
      const known = await recall(asking, places);
      if (known !== null) return known;
      if (only) {
        // Whoever had no model then has none now.
        if (!(await recordings.asked(places, role))) return { by: extractive };
        if (question.optional === true) return { by: extractive, useless: true };
        throw notRecorded(role);
      }
      for (let waited = 0, busy = 0; ; ) {
        const obstacles = noObstacles();
        for (const candidate of able) {
          signal.throwIfAborted();
          const found = await consult(candidate, asking, obstacles);
          if (found !== null) return found;
        }
        const { waitMs } = obstacles;
        if (question.optional === true && isUseless(obstacles, able.length))
          return { by: extractive, useless: true };
        await calls.lineUp(obstacles);
        if (waitMs === null || waitMs > oneWaitMs || waited > allWaitsMs) {
          throw failureOf(role, able.length, obstacles);
        }
        // Whoever is overloaded is asked ever less often.
        const longer = obstacles.limited ? waitMs : Math.min(waitMs * 2 ** busy++, longestBusyMs);
        question.onWait?.(longer, obstacles.limited ? "limits" : "busy", faultsText(obstacles.faults));
        const pauseMs = longer + Math.random() * spreadMs;
        await pause(pauseMs, undefined, { signal });
        waited += pauseMs;
      }
    },
  };
}
