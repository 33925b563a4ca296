import {
  artifact,
  type draftArticleSection,
  type InputOf,
  type Outline,
  type OutlineSection,
  outlineSchema,
  ProofroomError,
  sectionArtifact,
} from "@proofroom/contracts";
import { wordCount } from "@proofroom/markdown";
import type { Handler } from "@proofroom/runtime";
import { evidenceOfRun, focusOf } from "../evidence-of-run.ts";
import type { EvidenceBase } from "../extractive/evidence-base.ts";
import { extractive } from "../extractive/name.ts";
import { planArticle, type SectionPlan } from "../extractive/plan-article.ts";
import { sectionMarkdown } from "../extractive/section-markdown.ts";
import { UsedText } from "../extractive/used-text.ts";

type Input = InputOf<typeof draftArticleSection>;

/** Writes one section. All sections are planned, so that none takes what belongs to another. */
export const draftSection: Handler<typeof draftArticleSection> = async (input, context) => {
  const outline = await context.artifacts.readJson(artifact.outline, outlineSchema);
  const section = findSection(input, outline);
  const { base } = await evidenceOfRun(context, focusOf(outline));
  const plan = planSection(section, input, outline, base);
  const markdown = sectionMarkdown(plan, base.corpus);
  const written = await context.artifacts.writeText(sectionArtifact(section.section_id), markdown);
  const sentences = plan.placed.flatMap(({ sentences }) => sentences);
  const ids = new Set([
    ...plan.placed.map(({ unit }) => unit.sourceId),
    ...plan.code.map(({ sourceId }) => sourceId),
  ]);
  return {
    section_id: section.section_id,
    words: wordCount(markdown),
    citations: sentences.length + plan.code.length,
    sources: base.corpus.sources.map(({ id }) => id).filter((id) => ids.has(id)),
    code_blocks: plan.code.length,
    written_by: extractive,
    artifact: written.name,
  };
};

function findSection(input: Input, outline: Outline): OutlineSection {
  const title = input.section_title?.trim().toLowerCase();
  const found = outline.sections.find((section) =>
    input.section_id === undefined
      ? section.title.toLowerCase() === title
      : section.section_id === input.section_id,
  );
  if (found !== undefined) return found;
  throw new ProofroomError({
    code: input.section_id === undefined && title === undefined ? "invalid_input" : "not_found",
    message: "The outline has no such section.",
    remedy: `Name one of: ${outline.sections.map(({ section_id }) => section_id).join(", ")}.`,
  });
}

/** A caller's own key points change this section alone: what the others are made of stays theirs. */
function planSection(
  section: OutlineSection,
  input: Input,
  outline: Outline,
  base: EvidenceBase,
): SectionPlan {
  const whole = planArticle(outline, base, { withSummary: true });
  const own = whole.sections.find((plan) => plan.section === section) as SectionPlan;
  if (input.key_points === undefined && input.include_code === undefined) return own;
  const used = new UsedText();
  const others = whole.sections.filter((plan) => plan !== own);
  for (const { sentences } of [...others.flatMap(({ placed }) => placed), ...whole.summary]) {
    for (const sentence of sentences) used.add(base.keyOf(sentence), base.termsOf(sentence));
  }
  const changed = {
    ...section,
    key_points: input.key_points ?? section.key_points,
    include_code: input.include_code ?? section.include_code,
  };
  const usedCode = others.flatMap(({ code }) => code.map((block) => block.code));
  const [plan] = planArticle({ ...outline, sections: [changed] }, base, { used, usedCode }).sections;
  return plan ?? own;
}
