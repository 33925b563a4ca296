import { z } from "zod";
import { artifactNameSchema } from "../artifact-name.ts";
import { errorCodes } from "../errors.ts";
import { runStatusSchema } from "../event.ts";
import { defaultTenant, runIdSchema, sha256Schema, stepIdSchema, tenantSchema } from "../ids.ts";

const count = z.int().nonnegative().max(1_000_000_000);

/** The most that a run may spend, all in all; no limit where nothing is said. */
export const runBudgetSchema = z.object({
  budget_usd: z
    .number()
    .nonnegative()
    .max(1_000_000)
    .optional()
    .describe(
      "The most that may be spent on models and searches, in US dollars at list prices; no limit by default.",
    ),
  budget_tokens: count
    .optional()
    .describe("The most tokens that models may be asked and answer; no limit by default."),
  budget_searches: count.optional().describe("The most searches that may be made; no limit by default."),
  budget_pages: count.optional().describe("The most web pages that may be fetched; no limit by default."),
});
export type RunBudget = z.output<typeof runBudgetSchema>;

/** What the owner of a run may choose. */
export const runOptionsSchema = z.object({
  max_rounds: z
    .int()
    .min(1)
    .max(3)
    .default(3)
    .describe("Rounds of refinement at the most. The first always runs."),
  search_rounds: z
    .int()
    .min(0)
    .max(3)
    .default(0)
    .describe("Rounds of web search for what the guideline's own sources lack, at the most."),
  approve_at: z
    .int()
    .min(0)
    .max(100)
    .default(80)
    .describe("Overall score from which an article without a blocking defect is approved."),
  allow_draft: z
    .boolean()
    .default(true)
    .describe("Whether an article that was not approved is published as a labelled draft."),
  require_code_run: z
    .boolean()
    .default(false)
    .describe("Whether code that could not be run for want of a sandbox blocks approval."),
  ...runBudgetSchema.shape,
});
export type RunOptions = z.output<typeof runOptionsSchema>;

/** `.nova/run.json`: written once, when the run is created. */
export const runManifestSchema = z.object({
  v: z.literal(1),
  run_id: runIdSchema,
  /** Who alone sees it through a gateway. */
  tenant: tenantSchema.default(defaultTenant),
  title: z.string(),
  created_at: z.iso.datetime(),
  /** `write`: the whole way from a guideline; `from_research`: an imported folder whose research.md stands. */
  plan: z.enum(["write", "from_research"]),
  options: runOptionsSchema,
  /** Of a replay: the run whose recorded answers are the only ones that it is given. */
  replay_of: runIdSchema.optional(),
});
export type RunManifest = z.output<typeof runManifestSchema>;

/** `.nova/run/epochs/<n>.json`: the run was set in motion (again). Written once each. */
export const epochSchema = z.object({
  n: z.int().positive(),
  reason: z.enum(["start", "resume", "retry"]),
  at: z.iso.datetime(),
  /** The span that set the run in motion, after W3C Trace Context: all that follows is part of it. */
  traceparent: z.string().optional(),
});
export type Epoch = z.infer<typeof epochSchema>;

/**
 * `.nova/run/budgets/<n>.json`: the budget was set anew. What the newest says counts in place of the options. Written
 * once each.
 */
export const budgetSchema = runBudgetSchema.extend({ n: z.int().positive(), at: z.iso.datetime() });

export const publicErrorSchema = z.object({
  code: z.enum(errorCodes),
  message: z.string(),
  remedy: z.string().optional(),
});

/** `.nova/run/outcomes/<n>.json`: how the epoch of that number ended. Written once; the first writer wins. */
export const outcomeSchema = z.object({
  n: z.int().positive(),
  status: runStatusSchema,
  at: z.iso.datetime(),
  /** Of a run that succeeded: what the article is. */
  article: z.enum(["approved", "draft"]).optional(),
  /** Why it is a draft, or what else the reader should know. */
  reasons: z.array(z.string()),
  error: publicErrorSchema.optional(),
  step: z.string().optional(),
});
export type Outcome = z.infer<typeof outcomeSchema>;

/** `.nova/ledger/generations/<step>.g<n>.json`: that step is asked for, or is to be executed again under a new generation. */
export const generationSchema = z.object({
  step_id: stepIdSchema,
  generation: z.int().positive(),
  reason: z.enum(["call", "retry", "force", "stale", "resume"]),
  at: z.iso.datetime(),
  /** Of a call from outside: its input, or the artifact that holds it, so that the job can be put in again. */
  input: z.record(z.string(), z.unknown()).optional(),
  input_ref: z.string().optional(),
  /** The span that asked for it, after W3C Trace Context. */
  traceparent: z.string().optional(),
});
export type GenerationRequest = z.infer<typeof generationSchema>;

export const readRecordSchema = z.object({
  name: artifactNameSchema,
  version: z.int().nonnegative(),
  sha256: sha256Schema.nullable(),
});

export const writtenSchema = z.object({
  name: artifactNameSchema,
  version: z.int().positive(),
  sha256: sha256Schema,
  size: z.int().nonnegative(),
});

/** `.nova/ledger/steps/<step>.g<n>.json`: a finished step. Written once; only success writes it. */
export const stepRecordSchema = z.object({
  v: z.literal(1),
  step_id: stepIdSchema,
  generation: z.int().positive(),
  capability: z.string(),
  step_key: sha256Schema,
  input_sha256: sha256Schema,
  /** The input itself where it is small enough to travel through the queue. */
  input: z.record(z.string(), z.unknown()).optional(),
  reads: z.array(readRecordSchema),
  writes: z.array(writtenSchema),
  output: z.record(z.string(), z.unknown()),
  started_at: z.iso.datetime(),
  finished_at: z.iso.datetime(),
});
export type StepRecord = z.infer<typeof stepRecordSchema>;

/** `.nova/ledger/attempts/<step>.g<n>/<attempt>.json`: an execution began; `….failed.json`: it failed. */
export const attemptSchema = z.object({
  attempt: z.string(),
  at: z.iso.datetime(),
  event: z.enum(["started", "failed"]),
  error: publicErrorSchema.optional(),
  /** True where the step will not be tried again by itself. */
  final: z.boolean().optional(),
  /** When a step goes on that only waits. */
  resumes_at: z.iso.datetime().optional(),
});
export type Attempt = z.infer<typeof attemptSchema>;
