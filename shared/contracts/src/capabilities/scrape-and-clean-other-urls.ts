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
    "Fetches the guideline's web pages and keeps their readable text as sources. One job per page; an address that ends with /* stands for the pages below it, within limits. Unreachable pages, challenge pages and private addresses are failures, never evidence. With clean a model names the passages that are no content, such as navigation, and they are taken out; what is left is the page's own text.",
  version: 1,
  input: z.object({
    clean: z.boolean().optional().describe("Whether a model takes out of each page what is not its content."),
  }),
  output: gatherOutputSchema,
  reads: [artifact.references],
  writes: [gatheredArtifact("scrape_and_clean_other_urls"), ".nova/urls_from_guidelines/*"],
  policy: parentPolicy,
  hints: outsideHints,
});
