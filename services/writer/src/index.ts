import type { Handlers } from "@proofroom/runtime";
import { draftSection } from "./capabilities/draft-section.ts";
import { outlineArticle } from "./capabilities/outline-article.ts";
import { summariseResearch } from "./capabilities/read-research-summary.ts";
import { refineArticle } from "./capabilities/refine-article.ts";

/** What the writer must be given. The writer without a model needs nothing. */
export type WriterDependencies = Record<string, never>;

/** The handlers of all capabilities that the writer owns. */
export function createWriterHandlers(_dependencies: WriterDependencies): Handlers<"writer"> {
  return {
    read_research_summary: summariseResearch,
    generate_article_outline: outlineArticle,
    draft_article_section: draftSection,
    refine_and_save_article: refineArticle,
  };
}
