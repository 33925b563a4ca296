import { ProofroomError } from "@proofroom/contracts";
import type { Ledger } from "./ledger.ts";
import type { StepRef } from "./ledger-keys.ts";

/**
 * What the ledger knows of a cancellation that concerns a step: of its run, of itself, or of the step that fanned it
 * out. A run that was removed is cancelled for good. Null where there is none.
 */
export async function cancellationOf(ledger: Ledger, step: StepRef): Promise<ProofroomError | null> {
  const { parent, generation } = step;
  const steps = [step, ...(parent === undefined ? [] : [{ stepId: parent, generation }])];
  const [isRemoved, outcome, ...failures] = await Promise.all([
    ledger.isRemoved(),
    ledger.outcome(),
    ...steps.map((ref) => ledger.failure(ref)),
  ]);
  if (isRemoved) return runRemoved();
  if (outcome?.status === "cancelled") return cancelledError("The run was cancelled.");
  return failures.some((failure) => failure?.code === "cancelled")
    ? cancelledError(jobCancelled.message)
    : null;
}

/** What stands in the ledger for a job that somebody cancelled. */
export const jobCancelled = { code: "cancelled", message: "The job was cancelled." } as const;

/** What an execution ends with whose run was removed. */
export function runRemoved(): ProofroomError {
  return cancelledError("The run was removed.");
}

function cancelledError(message: string): ProofroomError {
  return new ProofroomError({ code: "cancelled", message });
}
