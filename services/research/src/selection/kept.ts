import { artifact, selectionSchema } from "@proofroom/contracts";
import type { StepArtifacts } from "@proofroom/runtime";

/**
 * The addresses of search results that were considered and not kept. What is kept stands in
 * `.nova/perplexity_results_selected.md`, which a person may have edited; what no selection has considered is not dropped.
 */
export async function readDropped(artifacts: StepArtifacts): Promise<ReadonlySet<string>> {
  const selection = await artifacts.tryReadJson(artifact.selection, selectionSchema);
  const text = await artifacts.tryReadText(artifact.resultsSelected);
  if (selection === null || text === null) return new Set();
  const kept = new Set([...text.matchAll(/^### Source \[\d+\]: (\S+)[ \t]*$/gm)].map(([, ref]) => ref));
  return new Set(selection.considered.filter((ref) => !kept.has(ref)));
}
