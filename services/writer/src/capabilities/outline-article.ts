import { artifact, type generateArticleOutline, type Outline, outlineSchema } from "@proofroom/contracts";
import { parseGuidelineBrief } from "@proofroom/evidence";
import type { Handler } from "@proofroom/runtime";
import { evidenceOfRun } from "../evidence-of-run.ts";
import { makeOutline } from "../extractive/make-outline.ts";
import { extractive } from "../extractive/name.ts";
import type { OutlinePlanner } from "../modelled/plan-outline.ts";

/** Plans the article: by the guideline's own outline, else by a model's, else by what the evidence is ordered by. */
export function createOutlineArticle(plan: OutlinePlanner): Handler<typeof generateArticleOutline> {
  return async (_input, context) => {
    const guideline = (await context.artifacts.tryReadText(artifact.guideline)) ?? "";
    const brief = parseGuidelineBrief(guideline);
    const asked = brief.sections.flatMap(({ title, key_points }) => [title, ...key_points]);
    const { base } = await evidenceOfRun(context, [brief.topic, ...asked].join(" "));
    const answer = brief.sections.length > 0 ? null : await plan({ guideline, brief, base }, context);
    const planned = answer !== null && "sections" in answer ? answer : null;
    const whole = planned === null ? brief : { ...brief, sections: planned.sections };
    const outline: Outline = outlineSchema.parse(makeOutline(whole, base));
    await context.artifacts.writeJson(artifact.outline, outline);
    return {
      title: outline.title,
      sections: outline.sections.map(({ section_id, title, target_word_count }) => ({
        section_id,
        title,
        target_word_count,
      })),
      written_by: planned?.by ?? extractive,
      ...(answer !== null && "reason" in answer ? { reason: answer.reason } : {}),
      artifact: artifact.outline,
    };
  };
}
