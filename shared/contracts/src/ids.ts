import { z } from "zod";

/** `run_` and a ULID in Crockford's base 32. */
export const runIdSchema = z
  .string()
  .regex(/^run_[0-9A-HJKMNP-TV-Z]{26}$/, "a run id looks like run_01J… (26 characters)");

/** A capability's name, or that name and a hash of the input where a run has several of it. */
export const stepIdSchema = z.string().regex(/^[a-z0-9_]{1,40}(-[0-9a-f]{16})?$/);

/** Whose a run is: the name of a tenant, part of a key in the store. */
export const tenantSchema = z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/);

/** Whose runs are that no tenant was named for: everything on one machine. */
export const defaultTenant = "default";

export const sourceIdSchema = z.string().regex(/^S[1-9][0-9]{0,4}$/);

export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);

/** The id of a job: one execution history of a step's generation. Never holds `:` and is never all digits. */
export function jobId(runId: string, stepId: string, generation: number): string {
  return `${runId}-${stepId}-g${generation}`;
}
