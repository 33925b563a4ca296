import { z } from "zod";
import { gatheredArtifact } from "../artifact-name.ts";
import { defineCapability } from "../capability.ts";
import { gatherOutputSchema } from "./gather-output.ts";
import { fetchPolicy, outsideHints } from "./policies.ts";

/** The queries of one round of search. */
export const searchQueriesSchema = z.array(z.string().min(1).max(2_000)).min(1).max(20);

export const runWebResearch = defineCapability({
  name: "run_web_research",
  owner: "research",
  surface: "public",
  title: "Search the web",
  summary:
    "Runs web queries with the chosen search provider and keeps every result as a candidate source. Some queries failing is a partial success with counts; no source at all is an error.",
  version: 1,
  input: z.object({
    queries: searchQueriesSchema,
    provider: z.enum(["tavily", "searxng", "arxiv", "wikipedia", "perplexity"]).optional(),
  }),
  output: gatherOutputSchema,
  reads: [],
  writes: [gatheredArtifact("run_web_research"), ".nova/perplexity_results.md"],
  needs: ["TAVILY_API_KEY"],
  policy: fetchPolicy,
  hints: outsideHints,
});
