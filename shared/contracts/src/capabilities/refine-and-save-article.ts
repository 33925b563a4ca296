import { z } from "zod";
import { artifact, sectionArtifact } from "../artifact-name.ts";
import { defineCapability } from "../capability.ts";
import { modelPolicy, outsideHints } from "./policies.ts";

export const refineAndSaveArticle = defineCapability({
  name: "refine_and_save_article",
  owner: "writer",
  surface: "public",
  title: "Assemble and refine the article",
  summary:
    "Round 0 assembles article.md from the drafted sections: numbered citations, references, table of contents. Later rounds work off the critic's required revisions, section by section. Unknown source ids are refused.",
  version: 1,
  input: z.object({
    round: z
      .int()
      .min(0)
      .max(3)
      .default(0)
      .describe("0 assembles; 1 to 3, one after the other, work off what the critic required last."),
    critic_feedback: z
      .array(z.string().trim().min(1).max(2_000))
      .max(50)
      .optional()
      .describe(
        "Revisions of your own, from round 1 on, each about the section or the sentence that it names: a model works them off; without one, a quoted sentence is removed, a section shortened, a topic covered, as far as the sources allow. feedback_open names what was not done.",
      ),
  }),
  output: z.object({
    round: z.int(),
    words: z.int(),
    sections: z.int(),
    references: z.int(),
    revisions_applied: z.int(),
    revisions_open: z.int(),
    changed: z.boolean(),
    article_sha256: z.string(),
    written_by: z.string(),
    removed: z
      .array(z.string())
      .optional()
      .describe("Sentences of a person that had to go: at most 10, each cut to 200 characters."),
    feedback_open: z
      .array(z.string())
      .optional()
      .describe("Points of critic_feedback that were not done: at most 10, each cut to 200 characters."),
    artifact: z.string(),
  }),
  reads: [
    artifact.outline,
    artifact.sources,
    sectionArtifact("*"),
    artifact.article,
    artifact.critique,
    artifact.citations,
  ],
  writes: [artifact.article],
  policy: modelPolicy,
  hints: outsideHints,
});
