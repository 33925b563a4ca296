import { z } from "zod";
import { ProofroomError } from "./errors.ts";

/** Names of the artifacts that more than one part of the system speaks of. */
export const artifact = {
  guideline: "article_guideline.md",
  research: "research.md",
  article: "article.md",
  page: "article.html",
  references: ".nova/guidelines_filenames.json",
  uploads: ".nova/uploads.json",
  nextQueries: ".nova/next_queries.json",
  nextQueriesText: ".nova/next_queries.md",
  sourcesSelected: ".nova/perplexity_sources_selected.md",
  resultsSelected: ".nova/perplexity_results_selected.md",
  selection: ".nova/sources_selected.json",
  urlsToScrape: ".nova/urls_to_scrape_from_research.md",
  urlSelection: ".nova/urls_selected.json",
  sources: ".nova/sources.json",
  outline: ".nova/article_outline.json",
  citations: ".nova/citations.json",
  critique: ".nova/critic_evaluation.json",
  manifest: ".nova/sandbox_manifest.json",
  results: ".nova/sandbox_execution_results.json",
} as const;

/** Where a gathering capability lists the sources it got and those it did not. */
export function gatheredArtifact(capability: string): string {
  return `.nova/gathered/${capability}.json`;
}

/** What each search found, one artifact per generation of a call. */
export const searchRounds = ".nova/searches/*";

/** What a searching capability writes: its own round, and what is made of all rounds. */
export function searchWrites(capability: string): string[] {
  return [searchRounds, ".nova/sources/*", gatheredArtifact(capability), ".nova/perplexity_results.md"];
}

/** Where the drafted sections lie. */
export const sectionFolder = ".nova/sections/";

/** One drafted section: Markdown that cites by source id. */
export function sectionArtifact(sectionId: string): string {
  return `${sectionFolder}${sectionId}.md`;
}

const segment = /^(?!\.{1,2}$)[^/\\\p{Cc}]{1,200}$/u;

/**
 * Checks that a name is a plain relative path within a run: no empty, `.` or `..` segment, no backslash, no
 * control character, at most 900 bytes (S3 keys end at 1,024, the run's prefix included).
 * @throws ProofroomError invalid_input
 */
export function assertArtifactName(name: string): string {
  const valid =
    Buffer.byteLength(name) <= 900 && name.length > 0 && name.split("/").every((part) => segment.test(part));
  if (!valid) {
    throw new ProofroomError({
      code: "invalid_input",
      message: "That is not the name of an artifact.",
      remedy: "Use a relative path such as research.md or .nova/citations.json.",
    });
  }
  return name;
}

export const artifactNameSchema = z.string().refine((name) => {
  try {
    assertArtifactName(name);
    return true;
  } catch {
    return false;
  }
}, "not the name of an artifact");

/** Whether what has that name below a run is the run's own book-keeping, and no artifact: records of steps, stored versions, its trace. */
export function isBookkeeping(name: string): boolean {
  return /^\.nova\/(?:run\.json$|trace\.jsonl$|(?:run|ledger|inputs|history|trace)(?:\/|$))/i.test(name);
}

/** A reference to one version of one artifact: what travels through the queue in place of text. */
export const artifactRefSchema = z.object({
  name: artifactNameSchema,
  version: z.int().positive(),
  sha256: z.string().length(64),
  size: z.int().nonnegative(),
});
export type ArtifactRef = z.infer<typeof artifactRefSchema>;
