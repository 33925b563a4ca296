import {
  publicErrorSchema,
  runCostSchema,
  runIdSchema,
  runStatusSchema,
  sha256Schema,
} from "@proofroom/contracts";
import { z } from "zod";

/** A run as lists show it. */
export const runSummarySchema = z.object({
  run_id: runIdSchema,
  title: z.string(),
  created_at: z.iso.datetime(),
  status: runStatusSchema,
  /** When a run goes on that waits for models to have quota again. */
  waiting_until: z.iso.datetime().nullable(),
  article: z.enum(["approved", "draft"]).nullable(),
  reasons: z.array(z.string()),
  error: publicErrorSchema.nullable(),
  failed_step: z.string().nullable(),
});

export const runSchema = runSummarySchema.extend({
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
  cost: runCostSchema
    .nullable()
    .describe(
      "What models and searches have cost, and how many pages were fetched; null where nobody was asked.",
    ),
});

export const jobSchema = z.object({
  job_id: z.string(),
  run_id: runIdSchema,
  capability: z.string(),
  status: z.enum(["queued", "running", "succeeded", "failed", "cancelled"]),
  artifacts: z.array(z.string()),
  output: z.record(z.string(), z.unknown()).optional(),
  error: publicErrorSchema.optional(),
});

export const artifactRefAnswer = z.object({
  name: z.string(),
  version: z.int(),
  sha256: sha256Schema,
  size: z.int(),
});

/** The run of an address. Whether it is none at all or nobody's is the same to a stranger: see `requireRun`. */
export const runParams = z.object({ run_id: z.string() });
