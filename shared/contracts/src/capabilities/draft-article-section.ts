import { z } from "zod";
import { artifact, sectionArtifact } from "../artifact-name.ts";
import { defineCapability } from "../capability.ts";
import { modelPolicy, outsideHints } from "./policies.ts";

export const draftArticleSection = defineCapability({
  name: "draft_article_section",
  owner: "writer",
  surface: "public",
  title: "Draft one section",
  summary:
    "Writes one section of the outline from the evidence that bears on it, within its word budget, citing by source id. Name a section of the outline by section_id or section_title.",
  version: 1,
  input: z.object({
    section_id: z.string().max(64).optional().describe("Its id in the outline."),
    section_title: z
      .string()
      .max(300)
      .optional()
      .describe("Its title in the outline, in place of section_id."),
    key_points: z.array(z.string().max(500)).max(30).optional().describe("In place of those of the outline."),
    include_code: z.boolean().optional().describe("In place of what the outline says."),
  }),
  output: z.object({
    section_id: z.string(),
    words: z.int(),
    citations: z.int(),
    sources: z.array(z.string()),
    code_blocks: z.int(),
    written_by: z.string(),
    /** Why no model wrote it, where models were asked. */
    reason: z.string().optional(),
    artifact: z.string(),
  }),
  reads: [artifact.outline, artifact.sources],
  writes: [sectionArtifact("*")],
  policy: modelPolicy,
  hints: outsideHints,
});
