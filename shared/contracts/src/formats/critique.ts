import { z } from "zod";

export const categoryMaxima = {
  technical_depth: 30,
  code_quality: 30,
  structure_clarity: 20,
  citation_fidelity: 20,
} as const;

export const requiredRevisionSchema = z.object({
  /** A section_id of the outline, or `article` where the whole is meant. */
  section: z.string(),
  kind: z.enum([
    "failing_code",
    "code_not_run",
    "unsupported_citation",
    "unresolved_citation",
    "uncited_claim",
    "missing_section",
    "over_budget",
    "under_budget",
    "repeated_text",
    "missing_key_point",
    "structure",
    "editorial",
  ]),
  blocking: z.boolean(),
  instruction: z.string(),
  /** The sentence or the snippet id it is about. */
  target: z.string().optional(),
});
export type RequiredRevision = z.infer<typeof requiredRevisionSchema>;

/** `.nova/critic_evaluation.json` */
export const critiqueSchema = z.object({
  overall_score: z.number().min(0).max(100),
  status: z.enum(["APPROVED", "REVISE"]),
  category_scores: z.object({
    technical_depth: z.number().min(0).max(30),
    code_quality: z.number().min(0).max(30),
    structure_clarity: z.number().min(0).max(20),
    citation_fidelity: z.number().min(0).max(20),
  }),
  specific_critiques: z.array(z.string()),
  required_revisions: z.array(requiredRevisionSchema),
  measurements: z.object({
    words: z.int(),
    sections: z.array(
      z.object({
        section_id: z.string(),
        title: z.string(),
        present: z.boolean(),
        words: z.int(),
        target: z.int(),
        key_points: z.int(),
        key_points_covered: z.int(),
      }),
    ),
    distinct_sources: z.int(),
    sources_available: z.int(),
    citations: z.object({
      sentences: z.int(),
      cited: z.int(),
      supported: z.int(),
      uncertain: z.int(),
      unsupported: z.int(),
      unresolved: z.int(),
      uncited: z.int(),
    }),
    code: z.object({
      blocks: z.int(),
      passed: z.int(),
      failed: z.int(),
      skipped: z.int(),
      not_run: z.int(),
      invalid_syntax: z.int(),
    }),
    repeated_sentences: z.int(),
  }),
  article_sha256: z.string().length(64),
  judged_by: z.string(),
});
export type Critique = z.infer<typeof critiqueSchema>;
