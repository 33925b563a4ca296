import { z } from "zod";

/** Which state of article.md a step is about; each is a step of its own. */
export const articleRoundSchema = z
  .int()
  .min(0)
  .max(4)
  .default(0)
  .describe("The round of refine_and_save_article that wrote article.md; each round is a step of its own.");
