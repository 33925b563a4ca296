import { type Disposition, ProofroomError } from "@proofroom/contracts";
import { retryAfterMs } from "../ingest/web/fetch-error.ts";

/** What messages about a provider speak of. */
export interface ProviderWords {
  /** As people know it. */
  title: string;
  /** Name of the setting that holds its address. */
  addressSetting: string;
  /** Name of the setting that holds its key, where it takes one. */
  keySetting?: string;
}

/** Whoever asks for a longer pause than this is not waited for, in milliseconds. */
const longestWaitMs = 60_000;

/** Statuses that say "not now" rather than "no". */
const passing: ReadonlySet<number> = new Set([408, 425]);
/** What plans and accounts are used up with; 432 and 433 are Tavily's own. */
const usedUp: ReadonlySet<number> = new Set([402, 432, 433]);
const noSuchPlace: ReadonlySet<number> = new Set([404, 405, 410]);

interface ReadableHeaders {
  get(name: string): string | null;
}

/** The error of a response that is not a success. Its body is never quoted: it may repeat a key. */
export function refusedSearch(
  words: ProviderWords,
  status: number,
  headers: ReadableHeaders,
  now: Date,
): ProofroomError {
  const { title, addressSetting, keySetting } = words;
  const answered = `${title} answered with status ${status}`;
  if ((status === 401 || status === 403) && keySetting !== undefined) {
    return new ProofroomError({
      code: "not_configured",
      message: `${title} refused the key (status ${status}).`,
      remedy: `Check ${keySetting}.`,
    });
  }
  if (noSuchPlace.has(status) || (status >= 300 && status <= 399)) {
    return new ProofroomError({
      code: "not_configured",
      message: `${answered}: there is no search at that address.`,
      remedy: `Check ${addressSetting}.`,
    });
  }
  if (usedUp.has(status)) {
    return new ProofroomError({
      code: "quota",
      message: `The plan or the credit at ${title} is used up (status ${status}).`,
      remedy: `Raise the limit at ${title}, or choose another provider.`,
      disposition: { kind: "fail" },
    });
  }
  if (status === 429) return throttled(words, waitFor(headers, now));
  if (status >= 500 || passing.has(status)) {
    const disposition = waitFor(headers, now);
    return new ProofroomError({ code: "unreachable", message: `${answered}.`, disposition });
  }
  return refusedQuery(words);
}

/** There were too many requests; more may be taken later. */
export function throttled(
  { title }: ProviderWords,
  disposition: Disposition = { kind: "retry" },
): ProofroomError {
  return new ProofroomError({
    code: "quota",
    message: `${title} takes no more requests for now.`,
    remedy: "Search again later, with fewer queries at a time, or choose another provider.",
    disposition,
  });
}

export function refusedQuery({ title }: ProviderWords): ProofroomError {
  return new ProofroomError({
    code: "invalid_input",
    message: `${title} did not take the query.`,
    remedy: "Put it into other words, or choose another provider.",
  });
}

/** An answer that is not what the provider's interface is known for; one that was only spoilt is worth another try. */
export function strangeAnswer(
  { title, addressSetting }: ProviderWords,
  what: string,
  more: { isSpoilt: boolean; cause?: unknown },
): ProofroomError {
  return new ProofroomError({
    code: "unreachable",
    message: `${title} answered with ${what} instead of results.`,
    remedy: `Check that ${addressSetting} is the address of ${title} itself.`,
    disposition: { kind: more.isSpoilt ? "retry" : "fail" },
    cause: more.cause,
  });
}

export function nothingFound(words: ProviderWords): ProofroomError {
  return new ProofroomError({
    code: "no_evidence",
    message: `${words.title} found nothing.`,
    remedy: "Put the query into other words, or choose another provider.",
  });
}

function waitFor(headers: ReadableHeaders, now: Date): Disposition {
  const delayMs = retryAfterMs(headers.get("retry-after"), now);
  if (delayMs === null) return { kind: "retry" };
  return delayMs > longestWaitMs ? { kind: "fail" } : { kind: "retry_after", delayMs };
}
