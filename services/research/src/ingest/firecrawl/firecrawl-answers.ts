import { z } from "zod";

/** Doubled meta elements come as lists; the first one counts. */
const word = z
  .union([z.string(), z.array(z.string()).transform(([first]) => first)])
  .nullish()
  .catch(undefined);

const metadataSchema = z.object({
  title: word,
  /** After redirects; `sourceURL` is the address that was asked for. */
  url: word,
  contentType: word,
  statusCode: z.number().int().nullish().catch(undefined),
});

const documentSchema = z.object({
  rawHtml: z.string().nullish(),
  markdown: z.string().nullish(),
  metadata: metadataSchema.nullish(),
});

/** https://docs.firecrawl.dev/api-reference/endpoint/scrape */
export const scrapeSchema = z.object({ success: z.literal(true), data: documentSchema });

const linkSchema = z.union([z.string(), z.object({ url: z.string() }).transform(({ url }) => url)]);

/** https://docs.firecrawl.dev/api-reference/endpoint/map */
export const mapSchema = z.object({ success: z.literal(true), links: z.array(linkSchema) });

/** https://docs.firecrawl.dev/api-reference/endpoint/crawl-post */
export const crawlStartSchema = z.object({
  success: z.literal(true),
  id: z.string().regex(/^[\w-]{1,100}$/),
});

/** https://docs.firecrawl.dev/api-reference/endpoint/crawl-get */
export const crawlStatusSchema = z.object({
  status: z.string(),
  next: z.string().nullish(),
  data: z.array(z.object({ metadata: metadataSchema.extend({ sourceURL: word }).nullish() })).default([]),
});
