import {
  gatheredArtifact,
  gatheredSchema,
  ProofroomError,
  runPerplexityResearch,
  runWebResearch,
  type Source,
  sourceSchema,
} from "@proofroom/contracts";
import type { StepArtifacts } from "@proofroom/runtime";
import { candidatesOf } from "../search/candidates.ts";
import { readRounds, roundNames } from "../search/file-round.ts";

/** A search result that can be chosen. */
export interface Listed {
  /** As `.nova/perplexity_results.md` numbers it. */
  number: number;
  ref: string;
  queries: string[];
  source: Source;
}

/**
 * The search results of a run, by number. What a person has taken out of the lists is not among them.
 * @throws ProofroomError not_found where nothing was searched for yet
 */
export async function readListed(artifacts: StepArtifacts): Promise<Listed[]> {
  const lists = [];
  for (const { name } of [runWebResearch, runPerplexityResearch]) {
    lists.push(await artifacts.tryReadJson(gatheredArtifact(name), gatheredSchema));
  }
  if (lists.every((list) => list === null)) {
    throw new ProofroomError({
      code: "not_found",
      message: "There are no search results to choose from yet.",
      remedy: "Run run_web_research first.",
    });
  }
  const candidates = candidatesOf(await readRounds(artifacts, await roundNames(artifacts)));
  const numberOf = new Map(candidates.map(({ ref, number }) => [ref, number]));
  const listed = new Map<string, Listed>();
  // What an import has brought no search has numbered.
  let last = candidates.length;
  for (const { ref, artifact, queries = [] } of lists.flatMap((list) => list?.sources ?? [])) {
    if (listed.has(ref)) continue;
    const source = await artifacts.readJson(artifact, sourceSchema);
    listed.set(ref, { number: numberOf.get(ref) ?? ++last, ref, queries, source });
  }
  return [...listed.values()].sort((one, other) => one.number - other.number);
}
