import { z } from "zod";

/** A page that was fetched while the pages of its site were looked for. */
const fetchedPageSchema = z.object({
  /** Which holds its bytes. */
  artifact: z.string(),
  /** After redirects. */
  final_url: z.string(),
  content_type: z.string(),
  /** As the server calls the file. */
  file_name: z.string().optional(),
  retrieved_at: z.iso.datetime(),
});

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
  /** How many pages were seen, those that were taken among them: at least so many there are. */
  found: z.int().nonnegative().optional(),
  /** Why they were not found in the way that is set up. */
  note: z.string().optional(),
  /** Pages of the site that robots.txt keeps programs from. */
  forbidden: z.int().nonnegative(),
  /** The first of those. */
  refused: z.array(z.string()).default([]),
  /** Of the map: a later one, in which something is tried again, wants the pages as they are then. */
  generation: z.int().positive().optional(),
  /** Those that were fetched on the way, by their addresses: whoever reads them need not fetch them again. */
  fetched: z.record(z.string(), fetchedPageSchema).default({}),
});
export type SitePages = z.infer<typeof sitePagesSchema>;
