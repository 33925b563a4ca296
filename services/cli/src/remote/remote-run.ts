import { publicErrorSchema, runCostSchema, runIdSchema, runStatusSchema } from "@proofroom/contracts";
import { z } from "zod";

/** A run as a gateway's list shows it; what a later gateway tells beyond it is passed over. */
const runSummarySchema = z.object({
  run_id: runIdSchema,
  title: z.string(),
  created_at: z.string(),
  status: runStatusSchema,
  waiting_until: z.string().nullable(),
  article: z.enum(["approved", "draft"]).nullable(),
  reasons: z.array(z.string()),
  error: publicErrorSchema.nullable(),
  failed_step: z.string().nullable(),
});
export type RemoteSummary = z.infer<typeof runSummarySchema>;

/** A run as a gateway describes it. */
export const remoteRunSchema = runSummarySchema.extend({
  steps: z.array(
    z.object({
      step: z.string(),
      capability: z.string(),
      generation: z.int(),
      state: z.enum(["done", "stale", "failed", "unfinished"]),
      input: z.record(z.string(), z.unknown()).optional(),
      attempts: z.int(),
      finished_at: z.string().optional(),
      output: z.record(z.string(), z.unknown()).optional(),
      error: publicErrorSchema.optional(),
    }),
  ),
  // A gateway of before there was one does not tell.
  cost: runCostSchema.nullable().default(null),
});
export type RemoteRun = z.infer<typeof remoteRunSchema>;

/** A page of a gateway's runs, newest first. */
export const remotePageSchema = z.object({
  runs: z.array(runSummarySchema),
  next_cursor: z.string().nullable(),
});
