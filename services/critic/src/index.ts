import type { Models } from "@proofroom/models";
import type { Handlers } from "@proofroom/runtime";
import type { Counter } from "@proofroom/telemetry";
import { createEvaluateArticle } from "./evaluate-article.ts";
import { createJudge } from "./judge/ask-judge.ts";
import { createVerifyCitations } from "./verify-citations.ts";

export interface CriticDependencies {
  /** Where none is configured for the critic's role, it says only what can be measured. */
  models: Models;
  /** Counts its verdicts, by what they are of. */
  verdicts?: Pick<Counter, "add"> | undefined;
}

/** The handlers of the critic's capabilities. */
export function createCriticHandlers({ models, verdicts }: CriticDependencies): Handlers<"critic"> {
  return {
    critic_evaluate_article: createEvaluateArticle(createJudge(models), verdicts),
    verify_citations: createVerifyCitations(verdicts),
  };
}
