import { type Disposition, isProofroomError, ProofroomError } from "@proofroom/contracts";

const longestWaitMs = 60_000;
/** Statuses that say "not now" rather than "no". */
const passing: ReadonlySet<number> = new Set([408, 425, 429]);

interface ReadableHeaders {
  get(name: string): string | null;
}

/** The error of a response that is neither the page nor a redirect to it. */
export function refusedStatus(status: number, headers: ReadableHeaders, now: Date): ProofroomError {
  if (isChallenge(headers)) {
    return new ProofroomError({
      code: "unreachable",
      message: "The site answered with a check for robots instead of the page.",
      remedy: "Open the page in a browser and give its text as a local file.",
      disposition: { kind: "fail" },
    });
  }
  if (status === 404 || status === 410) {
    return new ProofroomError({
      code: "not_found",
      message: `There is no such page (status ${status}).`,
      remedy: "Check the address.",
    });
  }
  const isPassing = status >= 500 || passing.has(status);
  return new ProofroomError({
    code: "unreachable",
    message: `The site answered with status ${status}.`,
    disposition: isPassing ? retryAfter(headers.get("retry-after"), now) : { kind: "fail" },
  });
}

/** Whether a host says that it has too much to do. */
export function asksForPause(status: number, headers: ReadableHeaders): boolean {
  return (status === 429 || status === 503) && !isChallenge(headers);
}

function isChallenge(headers: ReadableHeaders): boolean {
  return headers.get("cf-mitigated") === "challenge";
}

/** Retry-After, capped at a minute. */
function retryAfter(header: string | null, now: Date): Disposition {
  const delayMs = retryAfterMs(header, now);
  return delayMs === null
    ? { kind: "retry" }
    : { kind: "retry_after", delayMs: Math.min(delayMs, longestWaitMs) };
}

/** The wait that a Retry-After header asks for, in seconds or until a date (RFC 9110, 10.2.3); null for none. */
export function retryAfterMs(header: string | null, now: Date): number | null {
  const value = header?.trim() ?? "";
  const delayMs = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now.getTime();
  return Number.isFinite(delayMs) && delayMs > 0 ? delayMs : null;
}

const certificateFault =
  /^(?:CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)|ERR_SSL)/;

/** What a failed exchange comes to: our own error where one lies in the chain of causes, or `unreachable`. */
export function unreachable(thrown: unknown): ProofroomError {
  for (let cause = thrown; cause instanceof Error; cause = cause.cause) {
    if (isProofroomError(cause)) return cause;
    const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
    if (certificateFault.test(code)) {
      return new ProofroomError({
        code: "unreachable",
        message: "The site's certificate is not valid.",
        disposition: { kind: "fail" },
        cause: thrown,
      });
    }
  }
  return new ProofroomError({
    code: "unreachable",
    message: "The site could not be reached, or broke off the connection.",
    cause: thrown,
  });
}
