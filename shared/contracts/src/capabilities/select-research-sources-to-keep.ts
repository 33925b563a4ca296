import { z } from "zod";
import { artifact, searchRounds } from "../artifact-name.ts";
import { defineCapability } from "../capability.ts";
import { modelPolicy, outsideHints } from "./policies.ts";
import { selectedSchema } from "./selected.ts";

export const selectResearchSourcesToKeep = defineCapability({
  name: "select_research_sources_to_keep",
  owner: "research",
  surface: "public",
  title: "Keep the trustworthy results",
  summary:
    "Chooses, among the listed search results only, those that are trustworthy and relevant. A selection that failed, or is made without a model, follows rules (relevance to the guideline, few pages of one site) and is flagged as degraded with the reason.",
  version: 1,
  input: z.object({}),
  output: selectedSchema.extend({ kept: z.int(), considered: z.int(), artifact: z.string() }),
  reads: [artifact.guideline, ".nova/gathered/*", ".nova/sources/*", searchRounds],
  writes: [artifact.sourcesSelected, artifact.resultsSelected, artifact.selection],
  policy: modelPolicy,
  hints: outsideHints,
});
