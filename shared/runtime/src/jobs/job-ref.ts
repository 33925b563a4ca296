import {
  type Capability,
  findCapability,
  jobId,
  ProofroomError,
  runIdSchema,
  stepIdSchema,
} from "@proofroom/contracts";

/** One generation of one step, as clients name it: `run_…-step-gN`. */
export interface JobRef {
  jobId: string;
  runId: string;
  stepId: string;
  generation: number;
  capability: Capability;
}

export function jobRefOf(runId: string, stepId: string, generation: number, capability: Capability): JobRef {
  return { jobId: jobId(runId, stepId, generation), runId, stepId, generation, capability };
}

/** @throws ProofroomError not_found for whatever is not the id of a job: a stranger learns nothing more from it */
export function parseJobId(id: string): JobRef {
  const match = /^(run_[0-9A-Z]{26})-(.+)-g([1-9]\d{0,5})$/.exec(id);
  const [, runId = "", stepId = "", generation = ""] = match ?? [];
  const capability = findCapability(stepId.replace(/-[0-9a-f]{16}$/, ""));
  const valid = runIdSchema.safeParse(runId).success && stepIdSchema.safeParse(stepId).success;
  if (!valid || capability === undefined) {
    throw new ProofroomError({ code: "not_found", message: "There is no such job." });
  }
  return { jobId: id, runId, stepId, generation: Number(generation), capability };
}
