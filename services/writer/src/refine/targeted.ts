import type { OutlineSection, RequiredRevision } from "@proofroom/contracts";

/** The revisions of some kinds that are about a section. */
export function targeted(
  revisions: readonly RequiredRevision[],
  kinds: readonly RequiredRevision["kind"][],
  section: OutlineSection,
): RequiredRevision[] {
  return revisions.filter(
    (revision) => kinds.includes(revision.kind) && revision.section === section.section_id,
  );
}

/** Whether a sentence, by its key, stands in a source word for word: then it is no person's own. */
export type IsOurs = (key: string) => boolean;
