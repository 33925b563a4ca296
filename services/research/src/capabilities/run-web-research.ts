import { runWebResearch } from "@proofroom/contracts";
import type { Handler } from "@proofroom/runtime";
import { type SearchStepDeps, searchStep } from "../search/search-step.ts";

/** The handler of run_web_research: asks the provider that is named, or the first that is configured. */
export function createRunWebResearch(deps: SearchStepDeps): Handler<typeof runWebResearch> {
  return ({ queries, provider }, context) =>
    searchStep(context, deps, { capability: runWebResearch.name, provider, queries });
}
