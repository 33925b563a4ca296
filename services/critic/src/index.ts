import type { Handlers } from "@proofroom/runtime";
import { evaluateArticle } from "./evaluate-article.ts";
import { verifyCitations } from "./verify-citations.ts";

/** What the critic needs from outside: nothing, since all it says is measured. */
export type CriticDependencies = Record<string, never>;

/** The handlers of the critic's capabilities. */
export function createCriticHandlers(_dependencies: CriticDependencies): Handlers<"critic"> {
  return {
    critic_evaluate_article: evaluateArticle,
    verify_citations: verifyCitations,
  };
}
