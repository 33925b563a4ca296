import type { RootContent } from "mdast";
import { entriesOf, type GuidelinePart, paragraphsOf, partsOf } from "./guideline-parts.ts";
import {
  isAudienceHeading,
  isContextHeading,
  isLengthHeading,
  isMetaHeading,
  numberedSection,
} from "./headings.ts";
import { type GuidelineSection, outlineOf } from "./outline.ts";
import { parseGuidelineTree } from "./syntax-tree.ts";
import { isLengthLine, wordCountIn } from "./word-count.ts";

/** What the author of a guideline asks for, as far as the guideline says. */
export interface GuidelineBrief {
  title: string | null;
  audience: string | null;
  /** Words of the whole article. */
  expected_words: number | null;
  sections: GuidelineSection[];
  /** What the article is about, as plain text of at most 2,000 characters: the query for retrieval. */
  topic: string;
}

const MAX_TOPIC = 2000;
const MAX_AUDIENCE = 500;
const ABOUT_ARTICLE = /\b(?:article|lesson|post|tutorial|guide|total|long|length|write)\b/i;
const TITLE_PREFIX = /^(?:article\s+)?guidelines?\s*(?:[:\uFF1A]|\s[-\u2013\u2014]\s|for\s)\s*/i;

/** Longer titles are texts; in characters. */
const MAX_TITLE = 300;

/** A title on one line, without the characters that steer a terminal or turn a line around. */
function plainTitle(title: string): string {
  const line = title.replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\s]+/gu, " ").trim();
  return line.slice(0, MAX_TITLE).toWellFormed();
}

/**
 * Reads what a guideline asks for. Guidelines follow a convention that nobody enforces, so whatever is missing or
 * written otherwise gives null, an empty list or an empty topic. Never throws.
 */
export function parseGuidelineBrief(text: string): GuidelineBrief {
  const { root } = parseGuidelineTree(text);
  const all = partsOf(root.children);
  const titlePart = all.find(
    (part) => part.depth === 1 && numberedSection(part.heading) === null && !isMetaTitle(part.heading),
  );
  const parts = all.filter((part) => part !== titlePart);
  const { sections, nodes } = outlineOf(parts);
  const general = root.children.filter((node) => !nodes.has(node));
  const named =
    titlePart?.heading.replace(TITLE_PREFIX, "").trim() || labelled(general, /^(?:title|topic)$/i);
  const title = named === null ? null : plainTitle(named);
  return {
    title,
    audience: audienceOf(parts, general),
    expected_words: expectedWords(parts, general),
    sections,
    topic: topicOf(title, parts, general, sections),
  };
}

function isMetaTitle(heading: string): boolean {
  return isMetaHeading(heading) && !TITLE_PREFIX.test(heading);
}

/** The parts of a line "Label: value" or "**Label:** value". */
function labelOf(line: string): { label: string; value: string } | null {
  const [, label, value] = /^([^:\uFF1A]{1,40})[:\uFF1A]\s*(.+)$/.exec(line) ?? [];
  return label === undefined || value === undefined ? null : { label: label.trim(), value };
}

function labelled(nodes: readonly RootContent[], label: RegExp): string | null {
  return (
    linesOf(nodes)
      .map(labelOf)
      .find((line) => line !== null && label.test(line.label))?.value ?? null
  );
}

function linesOf(nodes: readonly RootContent[]): string[] {
  return [...paragraphsOf(nodes), ...entriesOf(nodes).map((entry) => entry.text)];
}

function audienceOf(parts: readonly GuidelinePart[], general: readonly RootContent[]): string | null {
  const part = parts.find(({ heading }) => isAudienceHeading(heading));
  const text = part === undefined ? "" : linesOf(part.body).join(" ");
  const written = text || labelled(general, /^(?:(?:target|intended) )?(?:audience|readers?)$/i);
  return written === null ? null : clipped(written, MAX_AUDIENCE);
}

function expectedWords(parts: readonly GuidelinePart[], general: readonly RootContent[]): number | null {
  const lines = linesOf(general);
  const candidates = [
    ...parts.filter((part) => isLengthHeading(part.heading)).flatMap((part) => linesOf(part.body)),
    ...lines.filter(isLengthLine),
    ...lines.filter((line) => ABOUT_ARTICLE.test(line)),
  ];
  return candidates.map(wordCountIn).find((count) => count !== null) ?? null;
}

function topicOf(
  title: string | null,
  parts: readonly GuidelinePart[],
  general: readonly RootContent[],
  sections: readonly GuidelineSection[],
): string {
  const prose = contextProse(parts, general);
  const pieces = prose.length > 0 ? prose : sections.map((section) => section.title);
  return clipped([...(title === null ? [] : [title]), ...pieces].join("\n"), MAX_TOPIC);
}

/** The paragraphs about the content: those of the context part, else those before the first part. */
function contextProse(parts: readonly GuidelinePart[], general: readonly RootContent[]): string[] {
  const context = parts.find(({ heading }) => isContextHeading(heading));
  const firstPart = general.findIndex((node) => node.type === "heading" && node.depth > 1);
  const opening = firstPart === -1 ? general : general.slice(0, firstPart);
  const lines = paragraphsOf(context === undefined ? opening : withoutMetaParts(context.body));
  return lines.filter((line) => !isLengthLine(line) && !isMetaHeading(labelOf(line)?.label ?? ""));
}

/** Without what the context says about length, audience and the like. */
function withoutMetaParts(body: readonly RootContent[]): RootContent[] {
  const parts = partsOf(body).filter(
    (part) => isMetaHeading(part.heading) && !isContextHeading(part.heading),
  );
  const skipped = new Set(parts.flatMap((part) => part.body));
  return body.filter((node) => !skipped.has(node));
}

/** Cuts at a word's end. */
function clipped(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length + 1);
  const space = cut.search(/\s\S*$/);
  return space > length / 2 ? cut.slice(0, space) : text.slice(0, length);
}
