import type { PublicError } from "@proofroom/contracts";

/**
 * An error of a run, with the command that goes on where its budget was spent: what stopped it knows no command line.
 * @param resume the command that resumes the run, as the user types it
 */
export function withBudgetWayOn(error: PublicError, resume: string): PublicError {
  if (error.code !== "budget") return error;
  const limits = "LIMITS being dollars in all, such as 0.50, or a list such as usd=0.50,tokens=900000";
  return { ...error, remedy: `${resume} --budget LIMITS goes on from here, ${limits}.` };
}
