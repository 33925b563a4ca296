import type { CitationReport, Critique, RequiredRevision } from "@proofroom/contracts";
import { wordCount } from "@proofroom/markdown";
import type { EvidenceBase } from "../extractive/evidence-base.ts";
import { addEvidence, type Material, restoreSections, restoreTitle } from "./add-text.ts";
import { joinArticle, matchSections, splitArticle } from "./article-parts.ts";
import { keyOf } from "./article-text.ts";
import { completeEndings, dropCode, dropSentences } from "./drop-text.ts";
import { type IsOurs, targeted } from "./targeted.ts";
import { trimSection } from "./trim-section.ts";

export interface RevisionInput extends Material {
  /** The article, citing by source id. */
  markdown: string;
  critique: Critique | null;
  report: CitationReport | null;
  /** Whether the critique and the report are about this very article. */
  critiqueIsCurrent: boolean;
  reportIsCurrent: boolean;
  /** What a caller asks for beside them. */
  proposed: readonly RequiredRevision[];
  /** The keys of sentences that the caller wants kept. */
  kept: ReadonlySet<string>;
  /** Whether evidence may be added: not where the article numbers its references in a way of its own. */
  mayCite: boolean;
}

export interface RevisionResult {
  markdown: string;
  applied: number;
  open: RequiredRevision[];
  /** Sentences of a person that had to go. */
  movedOut: string[];
}

/** Works off the required revisions that code can: each touches its own section and nothing else. */
export function applyRevisions(input: RevisionInput): RevisionResult {
  const revisions = [...(input.critique?.required_revisions ?? []), ...fromReport(input), ...input.proposed];
  const done = new Set<RequiredRevision>();
  const isOurs = ownSentences(input.base);
  const movedOut: string[] = [];
  let markdown = input.markdown;
  markdown = dropCode(markdown, revisions, input.critiqueIsCurrent, done);
  const before = markdown;
  const scope = { outline: input.outline, confined: input.proposed, kept: input.kept };
  markdown = dropSentences(markdown, revisions, scope, isOurs, done, movedOut);
  markdown = completeEndings(markdown, revisions, input.outline, done);
  if (input.mayCite) markdown = restoreSections(markdown, revisions, input, done);
  markdown = trimSections(markdown, revisions, input, isOurs, done);
  if (input.mayCite) markdown = addEvidence(markdown, before, revisions, input, done);
  markdown = restoreTitle(markdown, revisions, input.outline, done);
  const open = revisions.filter((revision) => !done.has(revision));
  return { markdown, applied: done.size, open, movedOut };
}

/** Verdicts that the critique does not speak of. */
function fromReport({ report, reportIsCurrent, critique }: RevisionInput): RequiredRevision[] {
  if (report === null || !reportIsCurrent) return [];
  const known = new Set((critique?.required_revisions ?? []).map(({ target }) => keyOf(target ?? "")));
  return report.citations
    .filter(
      ({ verdict, sentence }) => /^un(?:supported|resolved)$/.test(verdict) && !known.has(keyOf(sentence)),
    )
    .map(({ verdict, sentence, section }) => ({
      section,
      kind: verdict === "unresolved" ? "unresolved_citation" : "unsupported_citation",
      blocking: true,
      instruction: "Remove the sentence or cite a source that says it.",
      target: sentence,
    }));
}

/** Tells the sentences that stand in a source, so are not a person's own. */
function ownSentences(base: EvidenceBase): IsOurs {
  let keys: Set<string> | undefined;
  return (key) => {
    keys ??= new Set(
      base.units.flatMap(({ sentences }) => sentences.map((sentence) => base.keyOf(sentence))),
    );
    return keys.has(key);
  };
}

function trimSections(
  markdown: string,
  revisions: readonly RequiredRevision[],
  { outline, base }: RevisionInput,
  isOurs: IsOurs,
  done: Set<RequiredRevision>,
): string {
  const parts = splitArticle(markdown);
  for (const [section, part] of matchSections(parts, outline)) {
    const over = targeted(revisions, ["over_budget"], section);
    if (over.length === 0) continue;
    const trimmed = trimSection(part.markdown, section, outline, base, isOurs);
    if (trimmed === part.markdown) continue;
    parts[parts.indexOf(part)] = { ...part, markdown: trimmed };
    if (wordCount(trimmed) <= section.target_word_count) for (const revision of over) done.add(revision);
  }
  return joinArticle(parts);
}
