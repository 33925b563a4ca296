import { runPerplexityResearch } from "@proofroom/contracts";
import type { Handler } from "@proofroom/runtime";
import { type SearchStepDeps, searchStep } from "../search/search-step.ts";

/** The handler of run_perplexity_research. */
export function createRunPerplexityResearch(deps: SearchStepDeps): Handler<typeof runPerplexityResearch> {
  return ({ queries }, context) =>
    searchStep(context, deps, { capability: runPerplexityResearch.name, provider: "perplexity", queries });
}
