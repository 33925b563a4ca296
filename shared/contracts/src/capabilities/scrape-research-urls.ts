import { z } from "zod";
import { artifact, gatheredArtifact } from "../artifact-name.ts";
import { defineCapability } from "../capability.ts";
import { gatherOutputSchema } from "./gather-output.ts";
import { outsideHints, parentPolicy } from "./policies.ts";

export const scrapeResearchUrls = defineCapability({
  name: "scrape_research_urls",
  owner: "research",
  surface: "public",
  title: "Fetch the chosen results",
  summary:
    "Fetches the pages listed in .nova/urls_to_scrape_from_research.md and keeps their readable text as sources, one job per page; a video among them is transcribed.",
  version: 1,
  input: z.object({}),
  output: gatherOutputSchema,
  reads: [artifact.urlsToScrape],
  writes: [gatheredArtifact("scrape_research_urls"), ".nova/urls_from_research/*"],
  policy: parentPolicy,
  hints: outsideHints,
});
