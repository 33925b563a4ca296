import { z } from "zod";
import { artifact } from "../artifact-name.ts";
import { defineCapability } from "../capability.ts";
import { modelPolicy, outsideHints } from "./policies.ts";

export const selectResearchSourcesToScrape = defineCapability({
  name: "select_research_sources_to_scrape",
  owner: "research",
  surface: "public",
  title: "Choose the results to read in full",
  summary: "Chooses, among the kept search results only, the pages worth fetching in full.",
  version: 1,
  input: z.object({ max_sources: z.int().min(1).max(20).default(5) }),
  output: z.object({ urls: z.array(z.string()), degraded: z.boolean(), artifact: z.string() }),
  reads: [artifact.guideline, ".nova/perplexity_results_selected.md"],
  writes: [".nova/urls_to_scrape_from_research.md"],
  needs: ["GEMINI_API_KEY"],
  policy: modelPolicy,
  hints: outsideHints,
});
