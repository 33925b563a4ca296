import { z } from "zod";

export const outlineSectionSchema = z.object({
  section_id: z.string().regex(/^[a-z0-9_-]{1,64}$/),
  title: z.string().min(1),
  key_points: z.array(z.string()),
  target_word_count: z.int().positive(),
  include_code: z.boolean(),
  /** Refs (URL or path) of the sources that bear on the section, best first. */
  citations_to_reference: z.array(z.string()),
});
export type OutlineSection = z.infer<typeof outlineSectionSchema>;

/** `.nova/article_outline.json`, in the reference system's shape. */
export const outlineSchema = z.object({
  title: z.string().min(1),
  subtitle: z.string(),
  target_audience: z.string(),
  estimated_read_time_minutes: z.int().nonnegative(),
  sections: z.array(outlineSectionSchema).min(1),
});
export type Outline = z.infer<typeof outlineSchema>;
