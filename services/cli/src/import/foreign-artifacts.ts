import type { ImportFolder } from "./import-folder.ts";

/**
 * What else the folder's makers left: kept for people to read, apart from what the new run writes itself under the
 * same names.
 */
const kept = [
  "research.md",
  "article.md",
  "article.html",
  ".nova/guidelines_filenames.json",
  ".nova/next_queries.md",
  ".nova/next_queries.json",
  ".nova/perplexity_results.md",
  ".nova/perplexity_results_selected.md",
  ".nova/perplexity_sources_selected.md",
  ".nova/urls_to_scrape_from_research.md",
  ".nova/article_outline.json",
  ".nova/critic_evaluation.json",
  ".nova/citations.json",
  ".nova/sandbox_manifest.json",
  ".nova/sandbox_execution_results.json",
] as const;

/** The folder's other results, one at a time, with the names under which a run keeps them. What cannot be read is left out. */
export async function* foreignArtifacts(
  folder: ImportFolder,
): AsyncGenerator<{ name: string; bytes: Uint8Array }> {
  for (const path of kept) {
    const bytes = await folder.read(path).catch(() => null);
    if (bytes !== null) yield { name: `.nova/imported/${path.replace(".nova/", "")}`, bytes };
  }
}
