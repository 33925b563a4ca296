import { z } from "zod";

/** The pages of a site that were found, in the order in which they are read. */
export const sitePagesSchema = z.object({
  v: z.literal(1),
  /** As the guideline gives it, with the stars at its end. */
  ref: z.string(),
  /** How they were found. */
  method: z.enum(["http", "firecrawl"]),
  pages: z.array(z.string()),
  /** Whether there were more pages than may be read of one site. */
  more: z.boolean(),
  /** Why they were not found in the way that is set up. */
  note: z.string().optional(),
  /** Pages of the site that robots.txt keeps programs from. */
  forbidden: z.int().nonnegative(),
});
export type SitePages = z.infer<typeof sitePagesSchema>;
