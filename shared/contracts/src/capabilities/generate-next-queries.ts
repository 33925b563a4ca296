import { z } from "zod";
import { artifact } from "../artifact-name.ts";
import { defineCapability } from "../capability.ts";
import { modelPolicy, outsideHints } from "./policies.ts";

export const generateNextQueries = defineCapability({
  name: "generate_next_queries",
  owner: "research",
  surface: "public",
  title: "Find gaps and propose queries",
  summary:
    "Compares the guideline with the evidence so far and proposes web queries for what is missing, each with its reason.",
  version: 1,
  input: z.object({ n_queries: z.int().min(1).max(10).default(5) }),
  output: z.object({
    queries: z.array(z.object({ question: z.string(), reason: z.string() })),
    artifact: z.string(),
  }),
  reads: [artifact.guideline, artifact.references],
  writes: [artifact.nextQueries, ".nova/next_queries.md"],
  needs: ["GEMINI_API_KEY"],
  policy: modelPolicy,
  hints: outsideHints,
});
