/** Every way in which Proofroom fails, as a stable word that clients may switch on. */
export const errorCodes = [
  "invalid_input",
  "not_found",
  "conflict",
  "not_configured",
  "unreachable",
  "refused",
  "private_address",
  "too_large",
  "no_evidence",
  "quota",
  "budget",
  "timeout",
  "cancelled",
  "sandbox_unavailable",
  "dependency_down",
  "internal",
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/**
 * What the queue should do with a job that failed so: try again, try again at a given time, or give up. One that is to
 * `wait` has not failed: it goes on at the given time, as often as that takes, and spends no attempt.
 */
export type Disposition =
  | { kind: "retry" }
  | { kind: "retry_after"; delayMs: number }
  | { kind: "wait"; delayMs: number }
  | { kind: "fail" };

const retriedByDefault: ReadonlySet<ErrorCode> = new Set([
  "unreachable",
  "timeout",
  "quota",
  "dependency_down",
  "internal",
]);

export interface ProofroomErrorOptions {
  code: ErrorCode;
  /** One line: what is wrong. Shown to users, so it holds no secret and no third-party text. */
  message: string;
  /** One line: how to mend it. */
  remedy?: string;
  disposition?: Disposition;
  cause?: unknown;
}

const brand = Symbol.for("proofroom.error");

/** The one error class of the product. Recognised by brand, so that it survives duplicate packages. */
export class ProofroomError extends Error {
  readonly [brand] = true;
  readonly code: ErrorCode;
  readonly disposition: Disposition;
  readonly remedy: string | undefined;

  constructor(options: ProofroomErrorOptions) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ProofroomError";
    this.code = options.code;
    this.disposition =
      options.disposition ?? (retriedByDefault.has(options.code) ? { kind: "retry" } : { kind: "fail" });
    this.remedy = options.remedy;
  }
}

export function isProofroomError(value: unknown): value is ProofroomError {
  return typeof value === "object" && value !== null && (value as { [brand]?: true })[brand] === true;
}

/**
 * Turns anything thrown into a ProofroomError. What is not ours becomes `internal` with a fixed public
 * message: the text of a foreign error may quote secrets or hostile input, so it stays in `cause`.
 */
export function toProofroomError(thrown: unknown): ProofroomError {
  if (isProofroomError(thrown)) return thrown;
  if (thrown instanceof DOMException && thrown.name === "AbortError") {
    return new ProofroomError({ code: "cancelled", message: "The work was cancelled.", cause: thrown });
  }
  return new ProofroomError({ code: "internal", message: "An unexpected error occurred.", cause: thrown });
}

/** The part of an error that leaves the process: code, message, remedy. */
export interface PublicError {
  code: ErrorCode;
  message: string;
  remedy?: string | undefined;
}

export function toPublicError(error: ProofroomError): PublicError {
  return {
    code: error.code,
    message: error.message,
    ...(error.remedy === undefined ? {} : { remedy: error.remedy }),
  };
}
