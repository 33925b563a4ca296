import { z } from "zod";
import { artifact } from "../artifact-name.ts";
import { defineCapability } from "../capability.ts";
import { articleRoundSchema } from "./article-round.ts";
import { modelPolicy, outsideHints } from "./policies.ts";

export const criticEvaluateArticle = defineCapability({
  name: "critic_evaluate_article",
  owner: "critic",
  surface: "public",
  title: "Evaluate the article",
  summary:
    "Scores article.md against the outline, the citation verdicts and the results of its code, and answers APPROVED or REVISE with the revisions that are required. What can be measured is measured and caps its category.",
  version: 1,
  input: z.object({ round: articleRoundSchema }),
  output: z.object({
    status: z.enum(["APPROVED", "REVISE"]),
    overall_score: z.number(),
    category_scores: z.object({
      technical_depth: z.number(),
      code_quality: z.number(),
      structure_clarity: z.number(),
      citation_fidelity: z.number(),
    }),
    blocking: z.array(z.string()),
    required_revisions: z.int(),
    article_sha256: z.string(),
    /** Why no model judged it, where models were asked. */
    reason: z.string().optional(),
    artifact: z.string(),
  }),
  reads: [
    artifact.article,
    artifact.outline,
    artifact.sources,
    artifact.citations,
    artifact.manifest,
    artifact.results,
  ],
  writes: [artifact.critique],
  policy: modelPolicy,
  hints: outsideHints,
});
