import { z } from "zod";
import { artifactNameSchema } from "./artifact-name.ts";
import { errorCodes } from "./errors.ts";
import { runIdSchema } from "./ids.ts";

export const runStatuses = [
  "queued",
  "running",
  "waiting_approval",
  "waiting_budget",
  "waiting_quota",
  "succeeded",
  "failed",
  "cancelled",
] as const;
export const runStatusSchema = z.enum(runStatuses);
export type RunStatus = z.infer<typeof runStatusSchema>;

export const eventTypes = [
  "run.created",
  "run.started",
  "run.resumed",
  "run.finished",
  "step.started",
  "step.progress",
  "step.finished",
  "step.retrying",
  "step.waiting",
  "step.failed",
  "artifact.written",
  "gate.opened",
] as const;

/** Something that happened in a run. Ids are strings that sort by time within a run. */
export const runEventSchema = z.object({
  v: z.literal(1),
  id: z.string(),
  at: z.iso.datetime(),
  run_id: runIdSchema,
  type: z.enum(eventTypes),
  step: z.string().optional(),
  status: z.string().optional(),
  progress: z.object({ done: z.int(), total: z.int().optional() }).optional(),
  message: z.string().optional(),
  artifact: artifactNameSchema.optional(),
  /** Of a step that waits: when it goes on. */
  waiting_until: z.iso.datetime().optional(),
  error: z
    .object({ code: z.enum(errorCodes), message: z.string(), remedy: z.string().optional() })
    .optional(),
});
export type RunEvent = z.infer<typeof runEventSchema>;

/** An event before the log has given it an id and a time. */
export type NewRunEvent = Omit<RunEvent, "v" | "id" | "at">;
