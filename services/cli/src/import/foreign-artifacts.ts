import type { RunArtifacts } from "@proofroom/artifacts";
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

/**
 * Keeps the folder's other results in a run, under `.nova/imported/`, but for the one that is named. What cannot be
 * read is left out. Answers what was kept, by its path in the folder.
 */
export async function keepForeign(
  folder: ImportFolder,
  artifacts: RunArtifacts,
  options: { signal: AbortSignal; without?: string },
): Promise<{ path: string; sha256: string }[]> {
  const all: { path: string; sha256: string }[] = [];
  for (const path of kept) {
    const bytes = path === options.without ? null : await folder.read(path).catch(() => null);
    if (bytes === null) continue;
    const name = `.nova/imported/${path.replace(".nova/", "")}`;
    const { sha256 } = await artifacts.write(name, bytes, { author: "import", signal: options.signal });
    all.push({ path, sha256 });
  }
  return all;
}
