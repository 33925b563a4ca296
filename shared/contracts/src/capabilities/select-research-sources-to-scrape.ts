import { z } from "zod";
import { artifact, searchRounds } from "../artifact-name.ts";
import { defineCapability } from "../capability.ts";
import { modelPolicy, outsideHints } from "./policies.ts";
import { selectedSchema } from "./selected.ts";

export const selectResearchSourcesToScrape = defineCapability({
  name: "select_research_sources_to_scrape",
  owner: "research",
  surface: "public",
  title: "Choose the results to read in full",
  summary:
    "Chooses, among the kept search results only, the pages worth fetching in full. A selection that failed, or is made without a model, follows rules and is flagged as degraded with the reason.",
  version: 1,
  input: z.object({
    max_sources: z.int().min(1).max(20).default(5).describe("How many pages to choose at the most."),
  }),
  output: selectedSchema.extend({ urls: z.array(z.string()), artifact: z.string() }),
  reads: [
    artifact.guideline,
    artifact.resultsSelected,
    artifact.selection,
    ".nova/gathered/*",
    ".nova/sources/*",
    searchRounds,
  ],
  writes: [artifact.urlsToScrape, artifact.urlSelection],
  policy: modelPolicy,
  hints: outsideHints,
});
