import { z } from "zod";
import { artifact, gatheredArtifact, searchRounds, searchWrites } from "../artifact-name.ts";
import { defineCapability } from "../capability.ts";
import { gatherOutputSchema } from "./gather-output.ts";
import { fetchPolicy, outsideHints } from "./policies.ts";

/** The queries of one round of search. */
export const searchQueriesSchema = z
  .array(z.string().trim().min(1).max(2_000))
  .min(1)
  .max(20)
  .describe("What to search for, in a question or in key words each.");

/** What a search answers: `requested` counts its queries, `gathered` the sources found for them. */
export const searchOutputSchema = gatherOutputSchema.extend({
  /** What was done otherwise than asked, such as a query that was cut. */
  notes: z.array(z.string()).max(20),
});

export const runWebResearch = defineCapability({
  name: "run_web_research",
  owner: "research",
  surface: "public",
  title: "Search the web",
  summary:
    "Runs web queries with one search provider and keeps each result as a source, with its excerpt and the queries that found it. Without a provider the first that is configured answers: Tavily (TAVILY_API_KEY), SearXNG (SEARXNG_BASE_URL), Perplexity (PERPLEXITY_API_KEY); arXiv and Wikipedia need no setting and answer when they are named. Some queries failing is a partial success with counts; no source at all is an error.",
  version: 1,
  input: z.object({
    queries: searchQueriesSchema,
    provider: z
      .enum(["tavily", "searxng", "arxiv", "wikipedia", "perplexity"])
      .optional()
      .describe("By default the first that is configured."),
  }),
  output: searchOutputSchema,
  reads: [artifact.guideline, gatheredArtifact("run_web_research"), searchRounds],
  writes: searchWrites("run_web_research"),
  policy: fetchPolicy,
  hints: outsideHints,
});
