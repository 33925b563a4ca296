import {
  artifact,
  citationReportSchema,
  critiqueSchema,
  type Outline,
  outlineSchema,
  type refineAndSaveArticle,
  type SourceIndex,
  sectionArtifact,
} from "@proofroom/contracts";
import { denumberCitations, numberCitations, parseReferences } from "@proofroom/evidence";
import { wordCount } from "@proofroom/markdown";
import type { Handler, StepContext } from "@proofroom/runtime";
import { evidenceOfRun, focusOf } from "../evidence-of-run.ts";
import { assembleArticle } from "../extractive/assemble.ts";
import type { EvidenceBase } from "../extractive/evidence-base.ts";
import { extractive } from "../extractive/name.ts";
import { planArticle } from "../extractive/plan-article.ts";
import { sectionMarkdown } from "../extractive/section-markdown.ts";
import { applyRevisions, type RevisionInput, type RevisionResult } from "../refine/apply-revisions.ts";
import { splitArticle } from "../refine/article-parts.ts";
import { sha256 } from "../refine/article-text.ts";
import { renumber, withContents } from "../refine/frame.ts";

/** Assembles the article in round 0, and works off the critic's revisions in the rounds after it. */
export const refineArticle: Handler<typeof refineAndSaveArticle> = async (input, context) => {
  const { artifacts } = context;
  const outline = await artifacts.readJson(artifact.outline, outlineSchema);
  const { index, base } = await evidenceOfRun(context, focusOf(outline));
  const present = await artifacts.tryReadText(artifact.article);
  const drafts = await readDrafts(outline, context);
  const feedback = input.critic_feedback?.length ?? 0;
  let result: RevisionResult;
  if (input.round === 0 || present === null) {
    result = { markdown: assemble(outline, drafts, base, index), applied: 0, open: [], movedOut: [] };
  } else {
    const critique = await artifacts.tryReadJson(artifact.critique, critiqueSchema);
    const report = await artifacts.tryReadJson(artifact.citations, citationReportSchema);
    const hash = sha256(present);
    result = revise(present, index, {
      outline,
      base,
      critique,
      report,
      critiqueIsCurrent: critique?.article_sha256 === hash,
      reportIsCurrent: report?.article_sha256 === hash,
      draftOf: ({ section_id }) => drafts.get(section_id) ?? null,
    });
  }
  const { markdown } = result;
  const changed = markdown !== present;
  if (changed) await artifacts.writeText(artifact.article, markdown);
  for (const { section, kind, instruction } of result.open) {
    context.log.info({ section, kind, instruction }, "revision left open");
  }
  for (const sentence of result.movedOut) context.log.info({ sentence }, "sentence moved out of the article");
  return {
    round: input.round,
    words: wordCount(markdown),
    sections: splitArticle(markdown).filter(({ kind }) => kind === "section").length,
    references: parseReferences(markdown, index).length,
    revisions_applied: result.applied,
    revisions_open: result.open.length + feedback,
    changed,
    article_sha256: sha256(markdown),
    written_by: extractive,
    artifact: artifact.article,
  };
};

async function readDrafts(outline: Outline, { artifacts }: StepContext): Promise<Map<string, string>> {
  const drafts = new Map<string, string>();
  for (const { section_id } of outline.sections) {
    const text = await artifacts.tryReadText(sectionArtifact(section_id));
    if (text !== null && text.trim() !== "") drafts.set(section_id, text);
  }
  return drafts;
}

function assemble(
  outline: Outline,
  drafts: ReadonlyMap<string, string>,
  base: EvidenceBase,
  index: SourceIndex,
): string {
  const plan = planArticle(outline, base, { withSummary: true });
  const sections = plan.sections.map(
    (section) => drafts.get(section.section.section_id) ?? sectionMarkdown(section, base.corpus),
  );
  return assembleArticle(outline, sections, plan.summary, index);
}

/**
 * Revises an article by its sections, citing by id meanwhile. Where the article numbers sources that are not in its
 * list, the numbers stay as they are and nothing is added.
 */
function revise(
  present: string,
  index: SourceIndex,
  input: Omit<RevisionInput, "markdown" | "mayCite">,
): RevisionResult {
  const cited = denumberCitations(present, parseReferences(present, index));
  const result = applyRevisions({ ...input, markdown: cited, mayCite: true });
  if (!hasForeignNumbers(result.markdown, index)) {
    const markdown = withContents(renumber(result.markdown, index));
    if (markdown.trimEnd() === present.trimEnd()) return { ...result, markdown: present };
    return framed(result, present, markdown);
  }
  const careful = applyRevisions({ ...input, markdown: present, mayCite: false });
  return framed(careful, present, withContents(careful.markdown));
}

/** Contents and references are made anew with every change, which mends what was wrong with them. */
function framed(result: RevisionResult, present: string, markdown: string): RevisionResult {
  const frame = (text: string) =>
    splitArticle(text)
      .filter(({ kind }) => kind === "contents" || kind === "references")
      .map((part) => part.markdown.trim())
      .join("\n");
  const aboutFrame = result.open.filter(
    ({ kind, section, instruction }) =>
      kind === "structure" && section === "article" && /table of contents|references/.test(instruction),
  );
  if (aboutFrame.length === 0 || frame(present) === frame(markdown)) return { ...result, markdown };
  return {
    ...result,
    markdown,
    applied: result.applied + aboutFrame.length,
    open: result.open.filter((revision) => !aboutFrame.includes(revision)),
  };
}

/** Numbering escapes the numbers that stand for nothing it knows. */
function hasForeignNumbers(markdown: string, index: SourceIndex): boolean {
  const escapes = (text: string) => text.split("\\[").length;
  return escapes(numberCitations(markdown, index).markdown) > escapes(markdown);
}
