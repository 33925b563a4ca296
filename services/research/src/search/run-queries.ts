import { type ErrorCode, ProofroomError, toProofroomError } from "@proofroom/contracts";
import type { SearchProvider, SearchResult } from "./provider.ts";
import { cutAtWord } from "./result-text.ts";
import type { Wait } from "./wait.ts";

export interface QueryOutcome {
  query: string;
  /** What the provider was asked where that is only the query's beginning. */
  cutTo?: string;
  /** What was found, or why nothing was. */
  answer: SearchResult[] | ProofroomError;
}

/** Makes a search, or finds what it found before. */
export type Search = (
  query: string,
  signal: AbortSignal,
  call: (costs: (usd: number) => void) => Promise<SearchResult[]>,
) => Promise<SearchResult[]>;

export interface RunQueriesOptions {
  signal: AbortSignal;
  maxResults: number;
  /** Every try goes through it. */
  search: Search;
  wait: Wait;
  /** For all queries together, in milliseconds: what was found until then is kept. */
  timeMs: number;
  onDone(done: number): void;
}

/** Queries that one call has under way at a time. */
const atOnce = 3;
const tries = 3;
const firstBackoffMs = 1_000;
/** What no provider says: the run may search no more, or its recordings hold no answer. */
const endsAll: ReadonlySet<ErrorCode> = new Set(["budget", "not_found"]);

/**
 * Asks a provider all queries, a few at a time, each up to three times where another try may help. A pause that the
 * provider asks for holds for all of them. Where it refuses the key or the plan is used up, the other queries are not
 * sent any more. Outcomes are in the order of the queries.
 * @throws the signal's reason; ProofroomError budget, quota that is to be waited for, or not_found in a replay, once what was under way has ended
 */
export async function runQueries(
  provider: SearchProvider,
  queries: readonly string[],
  options: RunQueriesOptions,
): Promise<QueryOutcome[]> {
  const deadline = AbortSignal.timeout(options.timeMs);
  const signal = AbortSignal.any([options.signal, deadline]);
  const pacing = new Pacing(options.wait);
  const outcomes: QueryOutcome[] = new Array(queries.length);
  let next = 0;
  let done = 0;
  let over: ProofroomError | undefined;

  async function work(): Promise<void> {
    while (next < queries.length && over === undefined) {
      const at = next++;
      const query = queries[at] ?? "";
      const asked = cutAtWord(query, provider.longestQuery);
      const { maxResults } = options;
      const call = (costs: (usd: number) => void) => provider.search(asked, { signal, maxResults, costs });
      const answer = await pacing
        .ask(() => options.search(asked, signal, call), signal)
        .catch((error: unknown) => {
          options.signal.throwIfAborted();
          return deadline.aborted ? noTimeLeft() : toProofroomError(error);
        });
      // That is no fault of the query's: with more money, or later, it goes on, and what was answered is not asked again.
      if (
        answer instanceof ProofroomError &&
        (endsAll.has(answer.code) || answer.disposition.kind === "wait")
      )
        over = answer;
      outcomes[at] = { query, ...(asked === query ? {} : { cutTo: asked }), answer };
      done += 1;
      options.onDone(done);
    }
  }

  await Promise.all(Array.from({ length: Math.min(atOnce, queries.length) }, work));
  if (over !== undefined) throw over;
  return outcomes;
}

/** What the requests of one call know of each other. */
class Pacing {
  /** Nothing is sent before this is through. */
  #pause: Promise<unknown> = Promise.resolve();
  /** Why nothing is sent any more. */
  #closed: ProofroomError | undefined;
  readonly #wait: Wait;

  constructor(wait: Wait) {
    this.#wait = wait;
  }

  /** @throws ProofroomError of the last try, or the signal's reason */
  async ask<T>(request: () => Promise<T>, signal: AbortSignal): Promise<T> {
    for (let n = 1; ; n += 1) {
      await this.#pause;
      signal.throwIfAborted();
      if (this.#closed !== undefined) throw this.#closed;
      try {
        return await request();
      } catch (thrown) {
        signal.throwIfAborted();
        const error = toProofroomError(thrown);
        const { kind } = error.disposition;
        const isForAll = error.code === "not_configured" || error.code === "quota";
        // The whole call waits in the queue.
        if (kind === "wait") throw error;
        if (kind === "fail" && isForAll) this.#closed = error;
        if (kind === "fail" || n === tries) throw error;
        const delayMs =
          error.disposition.kind === "retry_after"
            ? error.disposition.delayMs
            : firstBackoffMs * 2 ** (n - 1);
        const pause = this.#wait(delayMs, signal);
        if (kind === "retry_after" || isForAll) this.#pauseAll(pause);
        await pause;
      }
    }
  }

  #pauseAll(pause: Promise<void>): void {
    // An abort is told to whoever waits for the pause by the check that follows it.
    this.#pause = Promise.allSettled([this.#pause, pause]);
  }
}

function noTimeLeft(): ProofroomError {
  return new ProofroomError({
    code: "timeout",
    message: "There was no time left for this query.",
    remedy: "Search for it again, with fewer queries at a time.",
    disposition: { kind: "fail" },
  });
}
