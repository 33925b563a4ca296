import { ingestDocument, processLocalFiles, verifyCitations } from "@proofroom/contracts";
import type { StepJob } from "../step-job.ts";

/** A capability whose jobs stand alone, and one with children. */
export const localPolicyCapability = verifyCitations;
export const parentCapability = processLocalFiles;
export const childCapability = ingestDocument;

/** Whose children are handed out in the tests. */
export const sampleOwner = { tenant: "default", runId: "run_01ARZ3NDEKTSV4RRFFQ69G5FAV" };

/** Job number `n` of a run, under the name of a capability. */
export function stepJob(n: number, capability: string = verifyCitations.name, parent?: string): StepJob {
  return {
    v: 1,
    run_id: "run_01ARZ3NDEKTSV4RRFFQ69G5FAV",
    capability,
    step_id: `${capability}-${n.toString(16).padStart(16, "0")}`,
    generation: 1,
    ...(parent === undefined ? {} : { parent }),
  };
}
