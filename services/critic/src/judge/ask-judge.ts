import { readFileSync } from "node:fs";
import { categoryMaxima, type Outline } from "@proofroom/contracts";
import { disarmed, type Models, waitingText } from "@proofroom/models";
import type { StepContext } from "@proofroom/runtime";
import { z } from "zod";

/** So much of an article is read, in characters: about thirty thousand words. */
const articleBudget = 200_000;

const judgementSchema = z.object({
  technical_depth: z.number().min(0).max(categoryMaxima.technical_depth),
  structure_clarity: z.number().min(0).max(categoryMaxima.structure_clarity),
  critiques: z.array(z.string().trim().min(1).max(500)).max(10),
  revisions: z
    .array(z.object({ section_id: z.string(), instruction: z.string().trim().min(1).max(500) }))
    .max(8),
});

export type Judgement = z.output<typeof judgementSchema>;

/** Has a model judge what cannot be measured; null where none is configured. */
export type Judge = (
  task: { article: string; outline: Outline },
  context: StepContext,
) => Promise<{ judgement: Judgement; by: string } | { reason: string } | null>;

/** @throws ProofroomError what asking a model throws */
export function createJudge(models: Models): Judge {
  const system = readFileSync(new URL("../prompts/judge-article.md", import.meta.url), "utf8");
  return async ({ article, outline }, context) => {
    const { runId, stepId, generation, signal } = context;
    const sections = outline.sections.map(({ section_id, title, key_points }) => ({
      section_id,
      title,
      key_points,
    }));
    const known = new Set(sections.map(({ section_id }) => section_id));
    const answer = await models.ask({
      role: "critic",
      // Then what is measured stands alone, and the run says so.
      optional: true,
      asker: { runId, stepId, generation },
      request: {
        system,
        parts: [
          {
            kind: "text",
            text: `Readers: ${outline.target_audience}\nSections: ${JSON.stringify(sections)}`,
          },
          { kind: "text", text: `<article>\n${disarmed(article.slice(0, articleBudget))}\n</article>` },
        ],
        maxTokens: 4_096,
      },
      expected: {
        kind: "json",
        schema: judgementSchema,
        check: ({ revisions }) =>
          revisions.every(({ section_id }) => known.has(section_id))
            ? null
            : `A revision names a section that is none of ${[...known].join(", ")}.`,
      },
      onWait: (...wait) => context.progress({ done: 0, message: waitingText(...wait) }),
      signal,
    });
    if ("value" in answer) return { judgement: answer.value, by: answer.by };
    return answer.useless === true ? { reason: "No judgement that a model gave could be used." } : null;
  };
}
