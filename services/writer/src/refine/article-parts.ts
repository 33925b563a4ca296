import type { Outline, OutlineSection } from "@proofroom/contracts";
import { isContentsHeading, isReferencesHeading, splitSections, titleKey } from "@proofroom/markdown";
import { isSummaryTitle } from "../extractive/subject.ts";

/** A part of an article from one `##` heading to the next. The parts joined are the article again. */
export interface ArticlePart {
  kind: "front" | "summary" | "contents" | "section" | "references";
  /** Plain text of the heading; empty for what precedes the first `##`. */
  heading: string;
  markdown: string;
}

export function splitArticle(markdown: string): ArticlePart[] {
  const parts: ArticlePart[] = [];
  for (const { heading, depth, markdown: text } of splitSections(markdown)) {
    const opens = depth === 2 || (depth === 1 && parts.some(({ kind }) => kind !== "front"));
    const last = parts.at(-1);
    if (opens) parts.push({ kind: kindOf(heading ?? ""), heading: heading ?? "", markdown: text });
    else if (last === undefined) parts.push({ kind: "front", heading: "", markdown: text });
    else last.markdown += text;
  }
  // Only the last list of references is the article's own.
  const own = parts.findLastIndex(({ kind }) => kind === "references");
  return parts.map((part, at) =>
    part.kind === "references" && at !== own ? { ...part, kind: "section" as const } : part,
  );
}

export function joinArticle(parts: readonly ArticlePart[]): string {
  return parts.reduce(
    (text, { markdown }) => (text === "" || text.endsWith("\n") ? text : `${text}\n\n`) + markdown,
    "",
  );
}

/** Inserts a part, with a blank line before and behind it. */
export function insertPart(parts: readonly ArticlePart[], at: number, part: ArticlePart): ArticlePart[] {
  const padded = (text: string) => `${text.trimEnd()}\n\n`;
  const before = parts.slice(0, at);
  const last = before.pop();
  return [
    ...before,
    ...(last === undefined ? [] : [{ ...last, markdown: padded(last.markdown) }]),
    { ...part, markdown: padded(part.markdown) },
    ...parts.slice(at),
  ];
}

function kindOf(heading: string): ArticlePart["kind"] {
  if (isSummaryTitle(heading)) return "summary";
  if (isContentsHeading(heading)) return "contents";
  return isReferencesHeading(heading) ? "references" : "section";
}

/** Which part each section of the outline is; sections with the same title take the parts in order. */
export function matchSections(
  parts: readonly ArticlePart[],
  outline: Outline,
): Map<OutlineSection, ArticlePart> {
  const free = new Set(parts.filter(({ kind }) => kind === "section" || kind === "summary"));
  const matched = new Map<OutlineSection, ArticlePart>();
  for (const section of outline.sections) {
    for (const part of free) {
      if (titleKey(part.heading) !== titleKey(section.title)) continue;
      matched.set(section, part);
      free.delete(part);
      break;
    }
  }
  return matched;
}
