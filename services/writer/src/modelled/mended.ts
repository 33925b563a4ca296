import type { OutlineSection, RequiredRevision } from "@proofroom/contracts";
import { idMarker, wordCount } from "@proofroom/markdown";
import { keyOf, sentencesOf } from "../refine/article-text.ts";
import { hasTopic } from "../refine/has-topic.ts";
import { isWithinLength } from "../refine/section-length.ts";

/**
 * Whether a section that was written anew has what a revision asked for, as far as that can be looked up; of an editorial one
 * it cannot.
 * @param before the section as it was, citing by source id
 * @param after another text of it that has passed the checks of a section
 */
export function isMended(
  { kind, target }: RequiredRevision,
  section: OutlineSection,
  before: string,
  after: string,
): boolean {
  const having = (markdown: string) =>
    sentencesOf(markdown).filter(({ key }) => target !== undefined && key === keyOf(target));
  switch (kind) {
    case "unsupported_citation":
    case "unresolved_citation": {
      // The same words under another marker are another claim, which was held against its source.
      const markersOf = (text: string) => (text.match(/S\d+/g) ?? []).join();
      const bad = new Set(having(before).map(({ text }) => markersOf(text)));
      return !having(after).some(({ text }) => bad.has(markersOf(text)));
    }
    case "uncited_claim":
      return having(after).every(({ text }) => idMarker.test(text));
    case "repeated_text":
      return having(after).length === 0 || having(after).length < having(before).length;
    case "over_budget":
      return isWithinLength(after, section);
    case "under_budget":
      return wordCount(after) > wordCount(before);
    case "missing_key_point":
      return target === undefined || hasTopic(after, target);
    default:
      return true;
  }
}
