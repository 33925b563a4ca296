import { z } from "zod";
import { artifact } from "../artifact-name.ts";
import { defineCapability } from "../capability.ts";
import { modelPolicy, outsideHints } from "./policies.ts";

export const generateArticleOutline = defineCapability({
  name: "generate_article_outline",
  owner: "writer",
  surface: "public",
  title: "Outline the article",
  summary:
    "Plans the article's sections with key points, word budgets and the sources that bear on each, from the guideline where it has an outline, else from the evidence.",
  version: 1,
  input: z.object({}),
  output: z.object({
    title: z.string(),
    sections: z.array(z.object({ section_id: z.string(), title: z.string(), target_word_count: z.int() })),
    written_by: z.string(),
    /** Why no model planned it, where models were asked. */
    reason: z.string().optional(),
    artifact: z.string(),
  }),
  reads: [artifact.guideline, artifact.sources],
  writes: [artifact.outline],
  policy: modelPolicy,
  hints: outsideHints,
});
