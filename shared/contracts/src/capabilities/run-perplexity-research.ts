import { z } from "zod";
import { gatheredArtifact } from "../artifact-name.ts";
import { defineCapability } from "../capability.ts";
import { gatherOutputSchema } from "./gather-output.ts";
import { fetchPolicy, outsideHints } from "./policies.ts";
import { searchQueriesSchema } from "./run-web-research.ts";

export const runPerplexityResearch = defineCapability({
  name: "run_perplexity_research",
  owner: "research",
  surface: "public",
  title: "Search with Perplexity",
  summary:
    "Runs web queries with Perplexity and keeps the answers with the sources that Perplexity names for them.",
  version: 1,
  input: z.object({ queries: searchQueriesSchema }),
  output: gatherOutputSchema,
  reads: [],
  writes: [gatheredArtifact("run_perplexity_research"), ".nova/perplexity_results.md"],
  needs: ["PERPLEXITY_API_KEY"],
  policy: fetchPolicy,
  hints: outsideHints,
});
