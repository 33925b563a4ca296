import { type ErrorCode, type PublicError, toProofroomError, toPublicError } from "@proofroom/contracts";

/** What the process answers its caller; documented in the README. */
export const exitCodes = { done: 0, failed: 1, usage: 2, draft: 3, needed: 4, interrupted: 130 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

const byCode: Partial<Record<ErrorCode, ExitCode>> = {
  invalid_input: exitCodes.usage,
  not_found: exitCodes.usage,
  not_configured: exitCodes.needed,
  quota: exitCodes.needed,
  budget: exitCodes.needed,
  sandbox_unavailable: exitCodes.needed,
  dependency_down: exitCodes.needed,
  cancelled: exitCodes.interrupted,
};

/** The one place that turns an error into an exit code. */
export function exitCodeOf(error: Pick<PublicError, "code">): ExitCode {
  return byCode[error.code] ?? exitCodes.failed;
}

/** One line what, one line how to mend. */
export function failureText(error: PublicError): string {
  return error.remedy === undefined
    ? `error: ${error.message}`
    : `error: ${error.message}\n  fix: ${error.remedy}`;
}

export function publicErrorOf(thrown: unknown): PublicError {
  return toPublicError(toProofroomError(thrown));
}
