import { artifact, type RequiredRevision, sectionArtifact } from "@proofroom/contracts";
import type { StepContext } from "@proofroom/runtime";
import { joinArticle, matchSections, splitArticle } from "../refine/article-parts.ts";
import { targeted } from "../refine/targeted.ts";
import { isMended } from "./mended.ts";
import type { SectionTask, SectionWriter } from "./write-section.ts";

/** What a model can mend in the text of a section. Code is mended where it is run. */
const mendable: readonly RequiredRevision["kind"][] = [
  "unsupported_citation",
  "unresolved_citation",
  "uncited_claim",
  "over_budget",
  "under_budget",
  "repeated_text",
  "missing_key_point",
  "editorial",
];

export interface RevisedSections {
  markdown: string;
  /** Revisions that the new texts answer, as far as that can be looked up. */
  done: ReadonlySet<RequiredRevision>;
  /** The models that wrote; empty where none did. */
  by: ReadonlySet<string>;
  /** Sections of which no model had a better text, each with the reason: they are as they were. */
  unmended: readonly string[];
}

/**
 * Has a model rewrite the sections that revisions are about, one by one, and nothing else. A text that a person has
 * written in is not rewritten.
 * @param markdown the article, citing by source id
 */
export async function reviseSections(
  write: SectionWriter,
  markdown: string,
  revisions: readonly RequiredRevision[],
  material: Pick<SectionTask, "outline" | "base" | "index">,
  context: StepContext,
): Promise<RevisedSections> {
  const done = new Set<RequiredRevision>();
  const by = new Set<string>();
  const unmended: string[] = [];
  if (await context.artifacts.hasPersons(artifact.article)) return { markdown, done, by, unmended };
  const parts = splitArticle(markdown);
  for (const [section, part] of matchSections(parts, material.outline)) {
    const wanted = targeted(revisions, mendable, section);
    if (wanted.length === 0 || (await context.artifacts.hasPersons(sectionArtifact(section.section_id))))
      continue;
    context.signal.throwIfAborted();
    const revise = { text: part.markdown, revisions: wanted };
    const written = await write({ ...material, section, revise }, context);
    if (written === null) continue;
    if ("reason" in written) {
      unmended.push(`${section.title}: ${written.reason}`);
      continue;
    }
    if (written.markdown.trim() === part.markdown.trim()) {
      unmended.push(`${section.title}: The answer was the section as it stands.`);
      continue;
    }
    parts[parts.indexOf(part)] = { ...part, markdown: `${written.markdown.trimEnd()}\n\n` };
    for (const revision of wanted)
      if (isMended(revision, section, part.markdown, written.markdown)) done.add(revision);
    by.add(written.by);
  }
  return { markdown: joinArticle(parts), done, by, unmended };
}
