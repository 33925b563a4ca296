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
import { extractFences, idMarker, wordCount } from "@proofroom/markdown";
import type { Handler } from "@proofroom/runtime";
import { compositionNotes } from "@proofroom/runtime/records";
import { evidenceOfRun, focusOf } from "../evidence-of-run.ts";
import type { EvidenceBase } from "../extractive/evidence-base.ts";
import { extractive } from "../extractive/name.ts";
import { planArticle, type SectionPlan } from "../extractive/plan-article.ts";
import { sectionMarkdown } from "../extractive/section-markdown.ts";
import { UsedText } from "../extractive/used-text.ts";
import type { SectionWriter } from "../modelled/write-section.ts";

type Input = InputOf<typeof draftArticleSection>;

/** Writes one section: with a model where one is configured, else from the sentences of the evidence themselves. */
export function createDraftSection(write: SectionWriter): Handler<typeof draftArticleSection> {
  return async (input, context) => {
    const outline = await context.artifacts.readJson(artifact.outline, outlineSchema);
    const found = findSection(input, outline);
    const { base, index } = await evidenceOfRun(context, focusOf(outline));
    const section = asAsked(found, input);
    const modelled = await write({ outline, section, base, index }, context);
    const { markdown, by, reason } =
      modelled !== null && "markdown" in modelled
        ? { ...modelled, reason: undefined }
        : fromEvidence(planSection(found, input, outline, base), base, modelled?.reason);
    const written = await context.artifacts.writeText(sectionArtifact(section.section_id), markdown);
    const markers = [...markdown.matchAll(new RegExp(idMarker, "g"))].map(([marker]) => marker);
    const ids = new Set(markers.flatMap((marker) => marker.match(/S\d+/g) ?? []));
    return {
      section_id: section.section_id,
      words: wordCount(markdown),
      citations: markers.length,
      sources: base.corpus.sources.map(({ id }) => id).filter((id) => ids.has(id)),
      code_blocks: extractFences(markdown).length,
      written_by: by,
      ...(reason === undefined ? {} : { reason }),
      artifact: written.name,
    };
  };
}

/**
 * The section from the sentences of the evidence. All sections are planned, so that none takes what belongs to another.
 * @param reason why the models that were asked did not write it, which the section then says of itself
 */
function fromEvidence(
  plan: SectionPlan,
  base: EvidenceBase,
  reason: string | undefined,
): { markdown: string; by: string; reason: string | undefined } {
  const markdown = sectionMarkdown(plan, base.corpus);
  return { markdown: reason === undefined ? markdown : withNote(markdown), by: extractive, reason };
}

/** Stands in an article whose other sections a model wrote. */
const note = `> [!NOTE]\n> ${compositionNotes.extractiveSection.plain}`;

function withNote(section: string): string {
  const [heading = "", ...rest] = section.split("\n");
  return [heading, "", note, ...rest].join("\n");
}

/** The section with what the caller wants otherwise. */
function asAsked(section: OutlineSection, input: Input): OutlineSection {
  return {
    ...section,
    key_points: input.key_points ?? section.key_points,
    include_code: input.include_code ?? section.include_code,
  };
}

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
  const changed = asAsked(section, input);
  const usedCode = others.flatMap(({ code }) => code.map((block) => block.code));
  const [plan] = planArticle({ ...outline, sections: [changed] }, base, { used, usedCode }).sections;
  return plan ?? own;
}
