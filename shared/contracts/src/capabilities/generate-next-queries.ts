import { z } from "zod";
import { artifact, searchRounds } from "../artifact-name.ts";
import { defineCapability } from "../capability.ts";
import { modelPolicy, outsideHints } from "./policies.ts";

export const generateNextQueries = defineCapability({
  name: "generate_next_queries",
  owner: "research",
  surface: "public",
  title: "Find gaps and propose queries",
  summary:
    "Compares the guideline with the evidence so far and proposes web queries for what is missing, each with its reason. Without a model the points that the evidence covers least are the gaps. Where no gap is left, or the last search brought nothing new, there are no queries and the reason is told.",
  version: 1,
  input: z.object({
    n_queries: z.int().min(1).max(10).default(5).describe("How many queries to propose."),
    round: z
      .int()
      .min(1)
      .max(3)
      .default(1)
      .describe("Which round of search this is: after the first, what the last one has brought counts too."),
  }),
  output: z.object({
    queries: z.array(z.object({ question: z.string(), reason: z.string() })),
    gaps: z.array(z.string()),
    /** Why there are no queries, where there are none. */
    reason: z.string().nullable(),
    /** The model, or `extractive`. */
    written_by: z.string(),
    /** Why no model proposed them, where models were asked. */
    without_model: z.string().optional(),
    artifact: z.string(),
  }),
  reads: [artifact.guideline, artifact.references, ".nova/gathered/*", ".nova/sources/*", searchRounds],
  writes: [artifact.nextQueries, artifact.nextQueriesText],
  policy: modelPolicy,
  hints: outsideHints,
});
