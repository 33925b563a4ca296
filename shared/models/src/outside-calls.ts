import { createHash } from "node:crypto";
import type { ObjectStore } from "@proofroom/artifacts";
import { isProofroomError, ProofroomError } from "@proofroom/contracts";
import type { z } from "zod";
import type { Amounts } from "./budget.ts";
import { parseModelsFile } from "./models-file.ts";
import { unlimited } from "./open-models.ts";
import { keepRecording, type Recording, readRecording, recordingKey } from "./recording.ts";
import type { Asker } from "./recordings.ts";
import type { RunFacts } from "./router.ts";
import { openSpending, type Spending } from "./spending.ts";

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
   * @param call makes the search. That it found nothing (`no_evidence`) is an answer too; whatever else it throws is none
   * @throws ProofroomError budget; not_found in a replay; what the call throws
   */
  search<T>(question: SearchQuestion<T>, call: () => Promise<T>): Promise<T>;
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
  /** What runs are about: without it they have no budget, and each generation of a step asks for itself. */
  runs?: RunFacts;
  /** Where models are asked as well for the same runs: what is counted together with them. */
  spending?: Spending;
}

/** What makes two searches of one step the same one: the run is not part of it, so that another can replay them. */
function keyOf<T>({ stepId, generation }: Asker, { provider, query, maxResults }: SearchQuestion<T>): string {
  const question = ["search", stepId, generation, provider, query, maxResults];
  return createHash("sha256").update(JSON.stringify(question)).digest("hex");
}

/** @throws ProofroomError invalid_input for a models file that is wrong, naming the line */
export async function openOutsideCalls(options: OpenOutsideCallsOptions): Promise<OutsideCalls> {
  const { store, now, keepsText, runs = unlimited } = options;
  const { searches: prices } = await parseModelsFile(options.file.text, options.file.name);
  const { budgets, spent } = options.spending ?? openSpending(store, runs);

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
        const keep = async (answer: Pick<Extract<Recording, { kind: "search" }>, "found" | "failure">) => {
          const tally = { ...tallyOf(asker, price, began), kind: "search" as const, provider };
          const whole = keepsText ? { ...tally, query, ...answer } : null;
          const key = await keepRecording(store, asker.runId, { name: keyOf(asker, question), tally, whole });
          spent.note(asker.runId, key, tally);
        };
        try {
          const found = await call();
          await keep({ found });
          return found;
        } catch (error) {
          if (isProofroomError(error) && error.code === "no_evidence") {
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
