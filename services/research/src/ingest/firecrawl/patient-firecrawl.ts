import { type ProofroomError, toProofroomError } from "@proofroom/contracts";
import type { Wait } from "../../search/wait.ts";
import type { Firecrawl } from "./firecrawl-client.ts";

/** What Firecrawl answered, or why it is of no use now. */
export type Through<T> = { value: T; why?: undefined } | { value?: undefined; why: ProofroomError };

/** A Firecrawl that is asked once more where that may help, and left alone for a while where it cannot. */
export interface PatientFirecrawl {
  readonly isCloud: boolean;
  /** @throws what `work` throws by itself, such as `budget`, and Firecrawl does not; or the signal's reason */
  ask<T>(work: (firecrawl: Firecrawl) => Promise<T>, signal: AbortSignal): Promise<Through<T>>;
}

/** Between two tries where Firecrawl names no time, in milliseconds. */
const pauseMs = 1_000;
/** How long it is not asked after it refused the key or the plan was used up, or did not answer. */
const restMs = 60_000;
const forAll: ReadonlySet<string> = new Set(["not_configured", "quota", "timeout"]);

export function createPatientFirecrawl(
  firecrawl: Firecrawl,
  { now, wait }: { now: () => Date; wait: Wait },
): PatientFirecrawl {
  let resting: { until: number; why: ProofroomError } | undefined;

  async function attempt<T>(
    work: (firecrawl: Firecrawl) => Promise<T>,
    signal: AbortSignal,
  ): Promise<Through<T>> {
    const theirs = new Set<unknown>();
    try {
      return { value: await work(noting(firecrawl, (error) => theirs.add(error))) };
    } catch (error) {
      signal.throwIfAborted();
      // What the run may spend, and whether our own stores answer, has nothing to do with Firecrawl.
      if (!theirs.has(error)) throw error;
      return { why: toProofroomError(error) };
    }
  }

  return {
    isCloud: firecrawl.isCloud,
    async ask(work, signal) {
      if (resting !== undefined && now().getTime() < resting.until) return { why: resting.why };
      const first = await attempt(work, signal);
      const answer = isWorthAnother(first.why)
        ? await wait(delayOf(first.why), signal).then(() => attempt(work, signal))
        : first;
      const { why } = answer;
      if (why !== undefined && forAll.has(why.code)) resting = { until: now().getTime() + restMs, why };
      return answer;
    },
  };
}

/** The same, and what it throws is noted. */
function noting(firecrawl: Firecrawl, note: (error: unknown) => void): Firecrawl {
  async function noted<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      note(error);
      throw error;
    }
  }
  return {
    isCloud: firecrawl.isCloud,
    scrape: (url, signal) => noted(firecrawl.scrape(url, signal)),
    map: (url, options) => noted(firecrawl.map(url, options)),
    crawl: (url, limits) => noted(firecrawl.crawl(url, limits)),
  };
}

/** Who did not answer in the time for a page would take that time again. */
function isWorthAnother(why: ProofroomError | undefined): why is ProofroomError {
  return why !== undefined && why.code !== "timeout" && why.disposition.kind !== "fail";
}

function delayOf({ disposition }: ProofroomError): number {
  return disposition.kind === "retry_after" ? disposition.delayMs : pauseMs;
}
