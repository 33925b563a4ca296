import type { Models } from "@proofroom/models";
import type { Handlers } from "@proofroom/runtime";
import { createDraftSection } from "./capabilities/draft-section.ts";
import { createOutlineArticle } from "./capabilities/outline-article.ts";
import { summariseResearch } from "./capabilities/read-research-summary.ts";
import { createRefineArticle } from "./capabilities/refine-article.ts";
import { createOutlinePlanner } from "./modelled/plan-outline.ts";
import { createSectionWriter } from "./modelled/write-section.ts";

export interface WriterDependencies {
  /** Where none is configured for a role, the article is composed from the evidence itself. */
  models: Models;
}

/** The handlers of all capabilities that the writer owns. */
export function createWriterHandlers({ models }: WriterDependencies): Handlers<"writer"> {
  const write = createSectionWriter(models);
  return {
    read_research_summary: summariseResearch,
    generate_article_outline: createOutlineArticle(createOutlinePlanner(models)),
    draft_article_section: createDraftSection(write),
    refine_and_save_article: createRefineArticle(write),
  };
}
