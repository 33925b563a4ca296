/*
 * What the headings of a guideline say by convention: which parts are about the guideline or the article as a whole, and
 * which are the article's sections. Whole headings are matched, since "Context engineering" may well be a section.
 */

const WHOLE = String.raw`(?:\s+(?:of|for|in|to)\s+(?:the|this)\s+(?:lesson|article|course|post|tutorial|guide|chapter|book|series).*)?\s*:?$`;

function whole(names: string): RegExp {
  return new RegExp(`^(?:${names})${WHOLE}`, "i");
}

const NUMBERED = /^section\s+(\d+)\b\s*[:.)\-\u2010-\u2015\uFF1A]*\s*(.*)$/i;
const OUTLINE = whole(
  "(?:(?:lesson|article|proposed|suggested|section) )?(?:outline|structure)|table of contents",
);
const SOURCES = whole(
  "(?:(?:golden|other|additional|further|primary|main|recommended|required|suggested|external|useful|key|all|the|research|web|video) )?(?:sources?|references?|links|resources|citations|bibliography)|further reading|reading list",
);
const CONTEXT = whole("(?:global )?context|overview|background|introduction|summary|topic|about");
const AUDIENCE = whole(
  "(?:who is the )?(?:(?:target|intended) )?(?:audience|readers?)|who (?:is|are) (?:this|it) (?:article )?for??",
);
const LENGTH = whole("(?:(?:expected|target|total|article) )?(?:length|word count|words)");
const OTHER_META = whole(
  "anchoring(?: the (?:lesson|article) .*)?|narrative(?: flow)?|(?:article )?guidelines?|(?:(?:course|writing|general|additional) )?instructions?|requirements?|constraints?|goals?|objectives?|purpose|tone|voice|(?:writing )?style|(?:tone|voice|style) (?:and|&) (?:tone|voice|style)|point of view|(?:lesson )?scope|notes?|format(?:ting)?|title|article code|theory ?/ ?practice ratio",
);

/** The number and name in an explicit section heading such as "Section 2 - Name"; null for other headings. */
export function numberedSection(heading: string): { number: number; name: string } | null {
  const match = NUMBERED.exec(heading);
  return match === null ? null : { number: Number(match[1]), name: match[2] ?? "" };
}

export function isOutlineHeading(heading: string): boolean {
  return OUTLINE.test(heading);
}

export function isSourcesHeading(heading: string): boolean {
  return SOURCES.test(heading);
}

export function isContextHeading(heading: string): boolean {
  return CONTEXT.test(heading);
}

export function isAudienceHeading(heading: string): boolean {
  return AUDIENCE.test(heading);
}

export function isLengthHeading(heading: string): boolean {
  return LENGTH.test(heading);
}

/** Whether a heading is about the guideline, the article as a whole or its sources, and names no section. */
export function isMetaHeading(heading: string): boolean {
  // An introduction is context for the topic, but a section all the same.
  const isIntroduction = /^introduction\b/i.test(heading);
  return (
    [OUTLINE, SOURCES, AUDIENCE, LENGTH, OTHER_META].some((pattern) => pattern.test(heading)) ||
    (CONTEXT.test(heading) && !isIntroduction)
  );
}
