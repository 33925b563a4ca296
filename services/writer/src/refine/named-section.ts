import type { OutlineSection } from "@proofroom/contracts";

/** What a text names where it begins, and what stands behind the name. */
export interface Named {
  /** `this` for "it" and "this section", whichever that is; `article` for all of it. */
  section: OutlineSection | "this" | "article";
  rest: string;
}

const inFront = /^(?:(?:the|this|that|whole|entire) ){0,2}(?:section )?["“„«]?/i;
const behind = /^["”“»]?(?: section\b)?/i;
const unnamed = /^(?:it|(?:this|that|the)(?: whole| entire)? section)(?!\w)/i;
const wholeArticle = /^(?:the|this)(?: whole| entire)? (?:article|text)(?!\w)/i;

/**
 * The section that a text begins with: by its title or id, with "the section" around it or not.
 * @param text with no more than one blank between words
 */
export function namedAtStart(text: string, sections: readonly OutlineSection[]): Named | null {
  const name = text.slice(inFront.exec(text)?.[0].length ?? 0);
  // Of a title that begins with another the longer is meant.
  const found = sections
    .flatMap((section) => [section.title, section.section_id].map((called) => ({ section, called })))
    .filter(({ called }) => startsWith(name, called))
    .toSorted((a, b) => b.called.length - a.called.length)[0];
  if (found !== undefined) {
    return { section: found.section, rest: name.slice(found.called.length).replace(behind, "") };
  }
  for (const [section, pattern] of [["this", unnamed] as const, ["article", wholeArticle] as const]) {
    const match = pattern.exec(text);
    if (match !== null) return { section, rest: text.slice(match[0].length) };
  }
  return null;
}

function startsWith(text: string, name: string): boolean {
  return (
    text.slice(0, name.length).toLowerCase() === name.toLowerCase() &&
    !/^[\p{L}\p{N}_]/u.test(text.slice(name.length))
  );
}
