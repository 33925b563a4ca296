import { z } from "zod";
import { gatheredArtifact, searchRounds, searchWrites } from "../artifact-name.ts";
import { defineCapability } from "../capability.ts";
import { fetchPolicy, outsideHints } from "./policies.ts";
import { searchOutputSchema, searchQueriesSchema } from "./run-web-research.ts";

export const runPerplexityResearch = defineCapability({
  name: "run_perplexity_research",
  owner: "research",
  surface: "public",
  title: "Search with Perplexity",
  summary:
    "Runs web queries with Perplexity and keeps what it answers from each source that it names, as a source with that address. An answer that names no source is a failure, never evidence; no source at all is an error.",
  version: 1,
  input: z.object({ queries: searchQueriesSchema }),
  output: searchOutputSchema,
  reads: [gatheredArtifact("run_perplexity_research"), searchRounds],
  writes: searchWrites("run_perplexity_research"),
  needs: ["PERPLEXITY_API_KEY"],
  policy: fetchPolicy,
  hints: outsideHints,
});
