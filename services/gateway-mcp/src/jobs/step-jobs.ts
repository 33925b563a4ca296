import { isProofroomError, jobId } from "@proofroom/contracts";
import { type JobRef, parseJobId } from "@proofroom/runtime";

/** The job of a step at its newest generation; null for a step whose capability is not in this catalog. */
export function jobOfStep(runId: string, step: { stepId: string; generation: number }): JobRef | null {
  try {
    return parseJobId(jobId(runId, step.stepId, step.generation));
  } catch (error) {
    if (isProofroomError(error)) return null;
    throw error;
  }
}
