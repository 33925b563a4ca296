import { createHash } from "node:crypto";
import { type ObjectStore, readRecording, recordingKey } from "@proofroom/artifacts";
import { isProofroomError, ProofroomError, type Recording } from "@proofroom/contracts";
import type { ModelMetrics } from "@proofroom/telemetry";
import type { z } from "zod";
import type { Amounts } from "./budget.ts";
import { keepRecording } from "./keep-recording.ts";
import { parseModelsFile } from "./models-file.ts";
import { unrelated } from "./open-models.ts";
import type { Asker } from "./recordings.ts";
import type { RunFacts } from "./router.ts";
import { type Spending, unlimitedSpending } from "./spending.ts";

/** One query to a search provider. */
export interface SearchQuestion<T> {
  asker: Asker;
  /** Its name, under which the models file may have a price. */
  provider: string;
  /** As the provider is asked it. */
  query: string;
  /** The most results that are asked for. */
  maxResults: number;
  /** The form of what is found. */
  found: z.ZodType<T>;
  signal: AbortSignal;
}

/** What the steps of a run ask of others than models: counted against its budget before the call, and kept with the run. */
export interface OutsideCalls {
  /**
   * What a search found. One that this step, or a generation of it that this one goes on from, had answered is not made
   * again; nor is any by a replay, which has only what was recorded.
   * @param call makes the search. That it found nothing (`no_evidence`) is an answer too; whatever else it throws is none.
   *   What the provider says that it cost, in US dollars, counts in place of the price, which is undefined where none is known
   * @throws ProofroomError budget; not_found in a replay; what the call throws
   */
  search<T>(
    question: SearchQuestion<T>,
    call: (costs: (usd: number) => void, price: number | undefined) => Promise<T>,
  ): Promise<T>;
  /**
   * Fetches a page. It is counted once it is had.
   * @throws ProofroomError budget; what the call throws
   */
  page<T>(page: { asker: Asker; url: string; signal: AbortSignal }, call: () => Promise<T>): Promise<T>;
}

export interface OpenOutsideCallsOptions {
  /** The text of the models file, and how it is called in an error: it may have prices of searches. */
  file: { text: string; name: string };
  store: ObjectStore;
  now(): Date;
  /** Whether queries, results and addresses are kept with the run; how many there were always is. */
  keepsText: boolean;
  /** What runs are about: without it each generation of a step asks for itself. */
  runs?: Pick<RunFacts, "answersOf">;
  /** What keeps the runs' budgets, for models and others together; without it they have none. */
  spending?: Spending;
  metrics?: Pick<ModelMetrics, "searched"> | undefined;
}

/** Whether what a search threw is its answer: that it found nothing. */
export function isFoundNothing(error: unknown): error is ProofroomError {
  return isProofroomError(error) && error.code === "no_evidence";
}

/** What makes two searches of one step the same one: the run is not part of it, so that another can replay them. */
function keyOf<T>({ stepId, generation }: Asker, { provider, query, maxResults }: SearchQuestion<T>): string {
  const question = ["search", stepId, generation, provider, query, maxResults];
  return createHash("sha256").update(JSON.stringify(question)).digest("hex");
}

/** @throws ProofroomError invalid_input for a models file that is wrong, naming the line */
export async function openOutsideCalls(options: OpenOutsideCallsOptions): Promise<OutsideCalls> {
  const { store, now, keepsText, runs = unrelated } = options;
  const { searches: prices } = await parseModelsFile(options.file.text, options.file.name);
  const { budgets, spent } = options.spending ?? unlimitedSpending(store);

  function tallyOf({ stepId, generation }: Asker, cost: number | undefined, began: number) {
    return {
      v: 1 as const,
      at: now().toISOString(),
      step: stepId,
      generation,
      cost: cost ?? 0,
      priced: cost !== undefined,
      ms: Math.round(performance.now() - began),
    };
  }

  /** What was recorded; undefined where nothing was. @throws ProofroomError of a search that found nothing */
  async function recall<T>(place: Asker, question: SearchQuestion<T>): Promise<{ found: T } | undefined> {
    const recording = await readRecording(store, recordingKey(place.runId, keyOf(place, question)));
    if (recording?.kind !== "search") return undefined;
    if (recording.failure !== undefined) throw foundNothing(recording.failure);
    // What another version kept in another form is asked for anew.
    const { data, success } = question.found.safeParse(recording.found);
    return success ? { found: data } : undefined;
  }

  return {
    async search(question, call) {
      const { asker, provider, query, signal } = question;
      const { places, only } = await runs.answersOf(asker);
      for (const place of places) {
        const known = await recall(place, question);
        if (known !== undefined) return known.found;
      }
      if (only) throw notRecorded();
      const price = prices.get(provider);
      const atMost: Partial<Amounts> = { searches: 1, usd: price ?? 0 };
      return budgets.within({ runId: asker.runId, atMost, signal }, async () => {
        const began = performance.now();
        let cost = price;
        const keep = async (answer: Pick<Extract<Recording, { kind: "search" }>, "found" | "failure">) => {
          const tally = { ...tallyOf(asker, cost, began), kind: "search" as const, provider };
          const whole = keepsText ? { ...tally, query, ...answer } : null;
          const key = await keepRecording(store, asker.runId, { name: keyOf(asker, question), tally, whole });
          spent.note(asker.runId, key, tally);
          options.metrics?.searched({ provider, cost: cost ?? 0 });
        };
        try {
          const found = await call((usd) => {
            cost = usd;
          }, price);
          await keep({ found });
          return found;
        } catch (error) {
          if (isFoundNothing(error)) {
            const { code, message, remedy } = error;
            await keep({ failure: { code, message, ...(remedy === undefined ? {} : { remedy }) } });
          }
          throw error;
        }
      });
    },
    page({ asker, url, signal }, call) {
      return budgets.within({ runId: asker.runId, atMost: { pages: 1 }, signal }, async () => {
        const began = performance.now();
        const page = await call();
        const tally = { ...tallyOf(asker, 0, began), kind: "page" as const };
        const name = createHash("sha256")
          .update(JSON.stringify(["page", asker, url]))
          .digest("hex");
        await keepRecording(store, asker.runId, { name, tally, whole: keepsText ? { ...tally, url } : null });
        return page;
      });
    },
  };
}

function foundNothing({ message, remedy }: { message: string; remedy?: string | undefined }): ProofroomError {
  return new ProofroomError({ code: "no_evidence", message, ...(remedy === undefined ? {} : { remedy }) });
}

function notRecorded(): ProofroomError {
  return new ProofroomError({
    code: "not_found",
    message: "The recordings hold no answer for this search.",
    remedy: "Replay a run that was recorded to its end, with the same version.",
  });
}
