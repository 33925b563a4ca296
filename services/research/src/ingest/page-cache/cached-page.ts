import { ingestWebPage, type Source, sourceSchema } from "@proofroom/contracts";
import { makeSource } from "@proofroom/evidence";
import { z } from "zod";

/** `cache/pages/<…>.json`: a page as a run has fetched it. */
const cachedPageSchema = z.object({
  v: z.literal(1),
  /** The plain address that was asked for. */
  url: z.string(),
  /** How it was fetched. */
  means: z.string(),
  source: sourceSchema,
});

/** What else than the address decides what a page becomes. */
export interface PageMaking {
  /** How pages are fetched; those of one way are not given where another is asked for. */
  means: string;
}

/** Equal for what would become the same source: another version of the extraction reads no pages of this one. */
export function pageIdentity(url: string, { means }: PageMaking): string {
  return JSON.stringify([url, means, ingestWebPage.name, ingestWebPage.version]);
}

export function writeCachedPage(url: string, { means }: PageMaking, source: Source): string {
  const page: z.input<typeof cachedPageSchema> = { v: 1, url, means, source };
  return `${JSON.stringify(page, null, 2)}\n`;
}

/**
 * The source that was kept for an address, whole and as it was written.
 * @throws where the text is something else, or was changed since
 */
export function readCachedPage(text: string, url: string, { means }: PageMaking): Source {
  const page = cachedPageSchema.parse(JSON.parse(text));
  const { v: _v, sha256, ...parts } = page.source;
  const source = makeSource(parts);
  if (page.url !== url || page.means !== means || source.sha256 !== sha256) {
    throw new Error("The page is not the one that was kept under this name.");
  }
  return source;
}
