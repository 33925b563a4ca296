import {
  artifact,
  type Critique,
  citationReportSchema,
  critiqueSchema,
  type InputOf,
  type Outline,
  type OutputOf,
  outlineSchema,
  type RequiredRevision,
  type refineAndSaveArticle,
  type SourceIndex,
  sectionArtifact,
} from "@proofroom/contracts";
import { denumberCitations, numberCitations, parseReferences } from "@proofroom/evidence";
import { withoutMarkers, wordCount } from "@proofroom/markdown";
import type { Handler, StepContext } from "@proofroom/runtime";
import { editedByPersons, modelsThatWrote, withNotesOfEdited } from "@proofroom/runtime/records";
import { evidenceOfRun, focusOf } from "../evidence-of-run.ts";
import { assembleArticle } from "../extractive/assemble.ts";
import type { EvidenceBase } from "../extractive/evidence-base.ts";
import { extractive } from "../extractive/name.ts";
import { planArticle } from "../extractive/plan-article.ts";
import { sectionMarkdown } from "../extractive/section-markdown.ts";
import { reviseSections } from "../modelled/revise-sections.ts";
import type { SectionTask, SectionWriter } from "../modelled/write-section.ts";
import { applyRevisions, type RevisionInput, type RevisionResult } from "../refine/apply-revisions.ts";
import { splitArticle } from "../refine/article-parts.ts";
import { keyOf, sentencesOf, sha256 } from "../refine/article-text.ts";
import {
  editorialRevisions,
  type FeedbackPoint,
  readFeedback,
  revisionsFromEvidence,
  withTopics,
} from "../refine/feedback.ts";
import { leftOf } from "../refine/feedback-met.ts";
import { renumber, withContents } from "../refine/frame.ts";

/** How many sentences or points of feedback the output holds, and how many characters of each. */
const shown = 10;
const shownLength = 200;

/** Assembles the article in round 0, and works off the critic's revisions and the caller's in the rounds after it. */
export function createRefineArticle(write: SectionWriter): Handler<typeof refineAndSaveArticle> {
  return (input, context) => refineArticle(input, context, write);
}

async function refineArticle(
  input: InputOf<typeof refineAndSaveArticle>,
  context: StepContext,
  write: SectionWriter,
): Promise<OutputOf<typeof refineAndSaveArticle>> {
  const { artifacts } = context;
  const outline = await artifacts.readJson(artifact.outline, outlineSchema);
  const { index, base } = await evidenceOfRun(context, focusOf(outline));
  const present = await artifacts.tryReadText(artifact.article);
  const drafts = await readDrafts(outline, context);
  const feedback = input.critic_feedback ?? [];
  // Nothing has been read yet of an article that is only put together.
  let feedbackOpen: readonly string[] = feedback;
  let revisionsOpen = feedback.length;
  let result: RevisionResult;
  let writers: readonly string[] = [];
  let remadeRevisions = 0;
  if (input.round === 0 || present === null) {
    const how = (await modelsThatWrote(artifacts)).length === 0 ? "extractive" : "modelled";
    const markdown = assemble(outline, drafts, base, index, how);
    result = { markdown, applied: 0, open: [], movedOut: [] };
  } else {
    const critique = await artifacts.tryReadJson(artifact.critique, critiqueSchema);
    const report = await artifacts.tryReadJson(artifact.citations, citationReportSchema);
    const hash = sha256(present);
    const points = readFeedback(feedback, present, outline);
    const work = { critique, points };
    const remade = await remake(write, present, work, { outline, base, index }, context);
    writers = [...remade.by];
    remadeRevisions = remade.applied;
    const left = new Map(
      remade.points.flatMap((point) =>
        revisionsFromEvidence(point, base).map((revision) => [revision, point.text] as const),
      ),
    );
    const proposed = [...left.keys()];
    result = revise(remade.markdown, index, {
      outline: withTopics(outline, proposed),
      proposed,
      kept: new Set(remade.points.flatMap(({ kept }) => kept)),
      base,
      critique: remade.critique,
      report,
      // Of sections that were written anew neither says anything.
      critiqueIsCurrent: critique?.article_sha256 === hash && writers.length === 0,
      reportIsCurrent: report?.article_sha256 === hash && writers.length === 0,
      draftOf: ({ section_id }) => drafts.get(section_id) ?? null,
    });
    revisionsOpen = result.open.length;
    feedbackOpen = [...new Set(result.open.flatMap((revision) => left.get(revision) ?? []))];
  }
  const edited = await editedByPersons(artifacts);
  const markdown = edited ? withNotesOfEdited(result.markdown) : result.markdown;
  const changed = markdown !== present;
  if (changed) await artifacts.writeText(artifact.article, markdown);
  for (const { section, kind, instruction } of result.open) {
    context.log.info({ section, kind, instruction }, "revision left open");
  }
  for (const sentence of result.movedOut) context.log.info({ sentence }, "sentence moved out of the article");
  const removed = edited ? await personsOf(result.movedOut, drafts, context) : [];
  return {
    round: input.round,
    words: wordCount(markdown),
    sections: splitArticle(markdown).filter(({ kind }) => kind === "section").length,
    references: parseReferences(markdown, index).length,
    revisions_applied: result.applied + remadeRevisions,
    revisions_open: revisionsOpen,
    changed,
    article_sha256: sha256(markdown),
    written_by: writers.length === 0 ? extractive : writers.join(", "),
    ...(removed.length === 0 ? {} : { removed }),
    ...(feedbackOpen.length === 0 ? {} : { feedback_open: feedbackOpen.slice(0, shown).map(shortened) }),
    artifact: artifact.article,
  };
}

/** Of sentences that went, those that no draft of ours had, as many and as much of each as the output holds. */
async function personsOf(
  sentences: readonly string[],
  drafts: ReadonlyMap<string, string>,
  { artifacts }: StepContext,
): Promise<string[]> {
  const ours = new Set<string>();
  for (const [id, text] of drafts) {
    if (await artifacts.hasPersons(sectionArtifact(id))) continue;
    for (const { key } of sentencesOf(text)) ours.add(key);
  }
  return sentences
    .filter((sentence) => !ours.has(keyOf(sentence)))
    .slice(0, shown)
    .map((sentence) => shortened(withoutMarkers(sentence).trim()));
}

function shortened(text: string): string {
  return text.length <= shownLength ? text : `${text.slice(0, shownLength - 1)}…`;
}

interface Work {
  critique: Critique | null;
  points: readonly FeedbackPoint[];
}

/** Has a model work off what it can, and answers what is left of the critique and of the caller's points. */
async function remake(
  write: SectionWriter,
  present: string,
  { critique, points }: Work,
  material: Pick<SectionTask, "outline" | "base" | "index">,
  context: StepContext,
): Promise<Work & { markdown: string; applied: number; by: ReadonlySet<string> }> {
  const isCurrent = critique !== null && critique.article_sha256 === sha256(present);
  const required = isCurrent ? critique.required_revisions : [];
  const proposed = new Map(points.map((point) => [point, editorialRevisions(point)]));
  const wanted = [...required, ...[...proposed.values()].flat()];
  const { index } = material;
  const cited = denumberCitations(present, parseReferences(present, index));
  const revised = await reviseSections(write, cited, wanted, material, context);
  for (const reason of revised.unmended) context.log.info({ reason }, "no model mended a section");
  if (revised.by.size === 0) return { markdown: present, critique, points, applied: 0, by: revised.by };
  const isLeft = (revision: RequiredRevision) => !revised.done.has(revision);
  const pointsLeft = points.flatMap((point) => {
    if (proposed.get(point)?.some(isLeft) !== false) return [point];
    return leftOf(point, cited, revised.markdown, material.outline) ?? [];
  });
  return {
    markdown: withContents(renumber(revised.markdown, index)),
    critique:
      critique === null
        ? null
        : { ...critique, required_revisions: critique.required_revisions.filter(isLeft) },
    points: pointsLeft,
    applied: required.length - required.filter(isLeft).length + points.length - pointsLeft.length,
    by: revised.by,
  };
}

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
  how: Parameters<typeof assembleArticle>[4],
): string {
  const plan = planArticle(outline, base, { withSummary: true });
  const sections = plan.sections.map(
    (section) => drafts.get(section.section.section_id) ?? sectionMarkdown(section, base.corpus),
  );
  return assembleArticle(outline, sections, plan.summary, index, how);
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
