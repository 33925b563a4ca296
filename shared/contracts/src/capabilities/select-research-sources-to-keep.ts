import { z } from "zod";
import { artifact, gatheredArtifact } from "../artifact-name.ts";
import { defineCapability } from "../capability.ts";
import { modelPolicy, outsideHints } from "./policies.ts";

export const selectResearchSourcesToKeep = defineCapability({
  name: "select_research_sources_to_keep",
  owner: "research",
  surface: "public",
  title: "Keep the trustworthy results",
  summary:
    "Chooses, among the listed search results only, those that are trustworthy and relevant. A selection that failed is flagged as degraded.",
  version: 1,
  input: z.object({}),
  output: z.object({ kept: z.int(), considered: z.int(), degraded: z.boolean(), artifact: z.string() }),
  reads: [artifact.guideline, gatheredArtifact("run_web_research")],
  writes: [".nova/perplexity_sources_selected.md", ".nova/perplexity_results_selected.md"],
  needs: ["GEMINI_API_KEY"],
  policy: modelPolicy,
  hints: outsideHints,
});
