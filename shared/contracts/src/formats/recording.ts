import { z } from "zod";
import { publicErrorSchema } from "./run.ts";

const replySchema = z.object({
  text: z.string(),
  finish: z.enum(["stop", "length", "blocked", "open"]),
  usage: z.object({ inputTokens: z.int().nonnegative(), outputTokens: z.int().nonnegative() }),
});

const anyCallSchema = z.object({
  v: z.literal(1),
  at: z.iso.datetime(),
  step: z.string(),
  generation: z.int().positive(),
  /** US dollars, at the prices of the models file. */
  cost: z.number().nonnegative(),
  /** False where the models file held no price; the cost is 0 then. */
  priced: z.boolean().default(true),
  ms: z.number().nonnegative(),
});

/** A question to a model and its answer. */
const modelCallSchema = anyCallSchema.extend({
  kind: z.literal("model").default("model"),
  role: z.string(),
  /** The model's name in the models file, and what the provider calls it. */
  model: z.string(),
  provider_model: z.string(),
  request: z.unknown().optional(),
  reply: replySchema.optional(),
  usage: replySchema.shape.usage,
});

/** A query to a search provider, and what it found, or that it found nothing. */
const searchCallSchema = anyCallSchema.extend({
  kind: z.literal("search"),
  provider: z.string(),
  query: z.string().optional(),
  found: z.unknown().optional(),
  failure: publicErrorSchema.optional(),
});

/** A page that was fetched. What it held is a source of the run, or was none. */
const pageCallSchema = anyCallSchema.extend({ kind: z.literal("page"), url: z.string().optional() });

/** `.nova/recordings/<key>.json`: a call that was answered. */
export const recordingSchema = z.union([searchCallSchema, pageCallSchema, modelCallSchema]);
export type Recording = z.output<typeof recordingSchema>;

const countsSchema = z.record(z.string(), z.int());

/** What the calls of a run have come to, at the list prices of the models file. */
export const runCostSchema = z.object({
  calls: z.int().describe("Calls of models."),
  input_tokens: z.int(),
  output_tokens: z.int(),
  usd: z.number().describe("US dollars, at list prices, of models and searches."),
  unpriced_calls: z.int().describe("Calls of models without a known price, which usd leaves out."),
  models: countsSchema.describe("Calls by model."),
  searches: countsSchema.describe("Searches by provider."),
  unpriced_searches: z.int().describe("Searches without a known price, which usd leaves out."),
  pages: z.int().describe("Pages that were fetched."),
});
export type RunCost = z.output<typeof runCostSchema>;
