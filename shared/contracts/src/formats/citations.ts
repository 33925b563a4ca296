import { z } from "zod";
import { sha256Schema, sourceIdSchema } from "../ids.ts";
import { locatorSchema } from "./source.ts";

export const verdicts = ["supported", "uncertain", "unsupported", "unresolved"] as const;

/** The stretch of a stored source that bears on a sentence. */
export const evidenceSchema = z.object({
  source_id: sourceIdSchema,
  start: z.int().nonnegative(),
  end: z.int().positive(),
  /** sha256 of the quote, UTF-8: proves that the stored source still says so. */
  sha256: sha256Schema,
  quote: z.string(),
  locator: locatorSchema,
  score: z.number().min(0).max(1),
});
export type Evidence = z.infer<typeof evidenceSchema>;

/** One cited sentence of the article and what its sources say. */
export const citationSchema = z.object({
  /** The sentence as it stands in article.md, without its markers. */
  sentence: z.string(),
  /** 1-based line of article.md. */
  line: z.int().positive(),
  section: z.string(),
  numbers: z.array(z.int().positive()),
  verdict: z.enum(verdicts),
  /** Why the verdict is what it is: quotes or numbers not found, no overlap, … */
  reasons: z.array(z.string()),
  evidence: z.array(evidenceSchema),
});
export type Citation = z.infer<typeof citationSchema>;

/** `.nova/citations.json` */
export const citationReportSchema = z.object({
  v: z.literal(1),
  article_sha256: sha256Schema,
  references: z.array(
    z.object({
      number: z.int().positive(),
      source_id: sourceIdSchema.nullable(),
      ref: z.string(),
      title: z.string(),
    }),
  ),
  citations: z.array(citationSchema),
  /** Sentences that state something and cite nothing. */
  uncited: z.array(z.object({ sentence: z.string(), line: z.int().positive(), section: z.string() })),
  summary: z.object({
    sentences: z.int(),
    cited: z.int(),
    supported: z.int(),
    uncertain: z.int(),
    unsupported: z.int(),
    unresolved: z.int(),
    uncited: z.int(),
  }),
});
export type CitationReport = z.infer<typeof citationReportSchema>;
