import { ProofroomError } from "@proofroom/contracts";
import { retryAfterMs } from "../web/fetch-error.ts";

/** What a git server answered to the question whether a repository is there. */
export interface Refusal {
  status: number;
  headers: { get(name: string): string | null };
}

/** What is known about the token for the server: the setting that holds it or would, and whether it was shown. */
interface TokenUse {
  setting: string;
  isShown: boolean;
}

const shortestWaitMs = 1_000;
/** GitHub asks for as long where it says nothing. */
const usualWaitMs = 60_000;
const longestWaitMs = 600_000;

/** The error of an answer that is neither the repository nor a redirect to it. */
export function accessError({ status, headers }: Refusal, token: TokenUse, now: Date): ProofroomError {
  if (isLimit({ status, headers })) return askedToWait(waitOf(headers, now));
  if (status >= 500) {
    return new ProofroomError({
      code: "unreachable",
      message: "The repository's host is busy or has failed.",
      ...(headers.get("retry-after") === null ? {} : { disposition: waiting(waitOf(headers, now)) }),
    });
  }
  if (!token.isShown) return notFound(token);
  return status === 401 ? tokenRefused(token) : notReadable(token);
}

/** GitHub and others answer 403 as well to those who have asked too much. */
export function isLimit({ status, headers }: Refusal): boolean {
  const isSpent = headers.get("x-ratelimit-remaining") === "0" || headers.get("retry-after") !== null;
  return status === 429 || (status === 403 && isSpent);
}

/** @param delayMs how long, where the host says it */
export function askedToWait(delayMs: number | null): ProofroomError {
  const disposition = waiting(delayMs);
  return new ProofroomError({
    code: "unreachable",
    message: "The repository's host asks to wait before it is asked again.",
    ...(disposition.kind === "fail" ? { remedy: "Try again later, or set a token for the host." } : {}),
    disposition,
  });
}

function waiting(delayMs: number | null) {
  const wait = Math.max(delayMs ?? usualWaitMs, shortestWaitMs);
  return wait > longestWaitMs ? { kind: "fail" as const } : { kind: "retry_after" as const, delayMs: wait };
}

function waitOf(headers: Refusal["headers"], now: Date): number | null {
  const reset = headers.get("x-ratelimit-reset") ?? "";
  const untilReset = /^\d{1,12}$/.test(reset) ? Number(reset) * 1_000 - now.getTime() : null;
  return retryAfterMs(headers.get("retry-after"), now) ?? untilReset;
}

/** Hosts answer alike for what is not there and for what is private. */
function notFound({ setting }: TokenUse): ProofroomError {
  return new ProofroomError({
    code: "not_found",
    message: "There is no such repository, or it is private.",
    remedy: `Check the address. A private one needs ${example(setting)}, or give it as a local folder.`,
  });
}

function notReadable({ setting }: TokenUse): ProofroomError {
  return new ProofroomError({
    code: "not_found",
    message: `There is no such repository, or the token in ${setting} may not read it.`,
    remedy: "Check the address, and what the token may read.",
  });
}

function tokenRefused({ setting }: TokenUse): ProofroomError {
  return new ProofroomError({
    code: "not_configured",
    message: `The repository's host does not accept the token in ${setting}.`,
    remedy: `Set ${example(setting)} to a token that is valid and may read the repository.`,
  });
}

function example(setting: string): string {
  return setting === "PROOFROOM_GIT_TOKENS" ? `${setting} (host=token)` : setting;
}
