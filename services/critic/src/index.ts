import type { Models } from "@proofroom/models";
import type { Handlers } from "@proofroom/runtime";
import { createEvaluateArticle } from "./evaluate-article.ts";
import { createJudge } from "./judge/ask-judge.ts";
import { verifyCitations } from "./verify-citations.ts";

export interface CriticDependencies {
  /** Where none is configured for the critic's role, it says only what can be measured. */
  models: Models;
}

/** The handlers of the critic's capabilities. */
export function createCriticHandlers({ models }: CriticDependencies): Handlers<"critic"> {
  return {
    critic_evaluate_article: createEvaluateArticle(createJudge(models)),
    verify_citations: verifyCitations,
  };
}
