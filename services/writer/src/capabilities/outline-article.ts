import { artifact, type generateArticleOutline, type Outline, outlineSchema } from "@proofroom/contracts";
import { parseGuidelineBrief } from "@proofroom/evidence";
import type { Handler } from "@proofroom/runtime";
import { evidenceOfRun } from "../evidence-of-run.ts";
import { makeOutline } from "../extractive/make-outline.ts";
import { extractive } from "../extractive/name.ts";

/** Plans the article from the guideline, else from the evidence. */
export const outlineArticle: Handler<typeof generateArticleOutline> = async (_input, context) => {
  const guideline = (await context.artifacts.tryReadText(artifact.guideline)) ?? "";
  const brief = parseGuidelineBrief(guideline);
  const asked = brief.sections.flatMap(({ title, key_points }) => [title, ...key_points]);
  const { base } = await evidenceOfRun(context, [brief.topic, ...asked].join(" "));
  const outline: Outline = outlineSchema.parse(makeOutline(brief, base));
  await context.artifacts.writeJson(artifact.outline, outline);
  return {
    title: outline.title,
    sections: outline.sections.map(({ section_id, title, target_word_count }) => ({
      section_id,
      title,
      target_word_count,
    })),
    written_by: extractive,
    artifact: artifact.outline,
  };
};
