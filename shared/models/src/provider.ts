import type { ModelReply, ModelRequest } from "./request.ts";

/**
 * How a call failed. `rate`: too much in a short while; `day`: the day's quota is used up; `busy`: the provider is
 * overloaded or broken; `unreachable`: the connection failed or was cut; `refused`: the key or the account is not
 * accepted; `rejected`: the request itself is not; `timeout`: no answer in time; `garbled`: what came is no answer.
 */
export type CallFault =
  | "rate"
  | "day"
  | "busy"
  | "unreachable"
  | "refused"
  | "rejected"
  | "timeout"
  | "garbled";

interface CallErrorOptions {
  status?: number | undefined;
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/** A failed call. Its message is ours: a provider's own text may quote the question or a key. */
export class CallError extends Error {
  readonly fault: CallFault;
  /** The HTTP status of the answer, where one came. */
  readonly status: number | undefined;
  /** When the provider would be asked again, in milliseconds from now. */
  readonly retryAfterMs: number | undefined;

  constructor(fault: CallFault, options: CallErrorOptions = {}) {
    super(`The call failed: ${fault}.`, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "CallError";
    this.fault = fault;
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
  }
}

interface CallOptions {
  /** What the provider calls the model. */
  model: string;
  /** Whether it keeps to a schema by itself; else the caller has put it into words. */
  structured: boolean;
  /** Aborts at once, with the signal's reason. */
  signal: AbortSignal;
}

/** One outside system that models are reached through. It neither retries nor waits: that is decided elsewhere. */
export interface Provider {
  /** Where it is reached, port included where it is not the usual one: all of its address that may be told. */
  readonly host: string;
  /** @throws CallError; the signal's reason where that aborts */
  generate(request: ModelRequest, options: CallOptions): Promise<ModelReply>;
}

/** How long a call may take, in milliseconds: a long talk is watched for minutes. */
export const callTimeoutMs = 240_000;

/** Runs a call under the caller's signal and a time limit, and tells the two apart whatever an SDK throws for them. */
export async function limited<T>(
  signal: AbortSignal,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
  faultOf: (thrown: unknown) => CallError,
): Promise<T> {
  signal.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMs);
  const both = AbortSignal.any([signal, timeout]);
  const aborted = Promise.withResolvers<never>();
  const leave = () => aborted.reject(both.reason);
  both.addEventListener("abort", leave, { once: true });
  try {
    // An SDK may notice an abort late, or never.
    return await Promise.race([work(both), aborted.promise]);
  } catch (thrown) {
    signal.throwIfAborted();
    if (timeout.aborted) throw new CallError("timeout", { cause: thrown });
    throw thrown instanceof CallError ? thrown : faultOf(thrown);
  } finally {
    both.removeEventListener("abort", leave);
  }
}

/** Milliseconds of a Retry-After header (seconds, or a date), or undefined where it says nothing of use. */
export function retryAfterMs(value: string | null | undefined, now: number): number | undefined {
  if (value == null || value.trim() === "") return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return seconds >= 0 ? Math.ceil(seconds * 1_000) : undefined;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(at - now, 0);
}
