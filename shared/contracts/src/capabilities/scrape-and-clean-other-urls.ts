import { z } from "zod";
import { artifact, gatheredArtifact } from "../artifact-name.ts";
import { defineCapability } from "../capability.ts";
import { gatherOutputSchema } from "./gather-output.ts";
import { outsideHints, parentPolicy } from "./policies.ts";

export const scrapeAndCleanOtherUrls = defineCapability({
  name: "scrape_and_clean_other_urls",
  owner: "research",
  surface: "public",
  title: "Fetch the guideline's web pages",
  summary:
    "Fetches the guideline's web pages and keeps their readable text as sources. One job per page; unreachable pages, challenge pages and private addresses are failures, never evidence.",
  version: 1,
  input: z.object({}),
  output: gatherOutputSchema,
  reads: [artifact.references],
  writes: [gatheredArtifact("scrape_and_clean_other_urls"), ".nova/urls_from_guidelines/*"],
  policy: parentPolicy,
  hints: outsideHints,
});
