import type { Outline, OutlineSection } from "@proofroom/contracts";
import { type Section, splitSections, titleKey, wordCount } from "@proofroom/markdown";

/** A section of the outline and the part of the article that carries it out. */
export interface MeasuredSection {
  outline: OutlineSection;
  /** Null where the article has no heading of that title. */
  found: { from: number; to: number; markdown: string } | null;
  /** Words of prose, without the heading. */
  words: number;
}

/** Finds each section of the outline in the article by its title, below the article's own; equal titles are matched in order. */
export function measureSections(article: string, outline: Outline): MeasuredSection[] {
  const parts = splitSections(article);
  const taken = new Set<number>();
  return outline.sections.map((section) => {
    const key = titleKey(section.title);
    const titled = parts.flatMap(({ heading, depth }, position) =>
      heading !== null && !taken.has(position) && titleKey(heading) === key ? [{ depth, position }] : [],
    );
    // The article itself may have the title of one of its sections.
    const at = (titled.find(({ depth }) => depth > 1) ?? titled[0])?.position ?? -1;
    if (at === -1) return { outline: section, found: null, words: 0 };
    taken.add(at);
    const whole = withSubsections(parts, at);
    const markdown = whole.map((part) => part.markdown).join("");
    const heading = parts[at]?.heading ?? "";
    return {
      outline: section,
      found: { from: whole[0]?.start_line ?? 1, to: whole.at(-1)?.end_line ?? 1, markdown },
      words: Math.max(0, wordCount(markdown) - wordCount(`# ${heading.replace(/[[\]`]/g, " ")}`)),
    };
  });
}

function withSubsections(parts: readonly Section[], at: number): Section[] {
  const depth = parts[at]?.depth ?? 1;
  const end = parts.findIndex((part, position) => position > at && part.depth <= depth);
  return parts.slice(at, end === -1 ? parts.length : end);
}

/** The section of the outline in which a line of the article stands, or `article`. */
export function sectionAt(sections: readonly MeasuredSection[], line: number): string {
  const holder = sections.find(({ found }) => found !== null && line >= found.from && line <= found.to);
  return holder?.outline.section_id ?? "article";
}
