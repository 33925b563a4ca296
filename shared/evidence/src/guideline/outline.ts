import type { RootContent } from "mdast";
import { entriesOf, type GuidelinePart, type ListEntry, paragraphsOf } from "./guideline-parts.ts";
import { isMetaHeading, isOutlineHeading, isSourcesHeading, numberedSection } from "./headings.ts";
import { isLengthLine, wordCountIn } from "./word-count.ts";

/** A section of the article as the author of a guideline asks for it. */
export interface GuidelineSection {
  title: string;
  key_points: string[];
  target_word_count: number | null;
  /** True or false if the author asks for code or for none, null if the guideline does not say. */
  include_code: boolean | null;
}

interface Draft {
  readonly title: string;
  readonly number: number | null;
  readonly body: GuidelinePart["body"];
  /** What the outline says about the section. */
  readonly notes: readonly ListEntry[];
}

const LONGEST_PREFIX = 60;
// No article has more; sections are compared with each other.
const MAX_SECTIONS = 100;

const CODE_WANTED =
  /\bsnippets?\b|\bcode[- ](?:based|examples?|samples?|blocks?|listings?|walkthroughs?|demos?)\b|\b(?:in|with|using) code\b|\b(?:show|provide|include|add|use|minimal|working|runnable|example|sample|python|typescript|javascript|rust|sql)\s+(?:the\s+|some\s+|a\s+|an\s+)?(?:\w+\s+)?code\b|^write\b[^.]*\bcode\b|^(?:code|examples?)\s*:/i;
const CODE_UNWANTED =
  /\b(?:no|without|avoid|skip|don['\u2019]t (?:include|show|use))\s+(?:any\s+|all\s+)?code\b/i;

/** The sections of a guideline, and which of its nodes they come from. */
export interface GuidelineOutline {
  readonly sections: GuidelineSection[];
  /** The nodes that describe sections, so that the rest can be read as being about the whole article. */
  readonly nodes: ReadonlySet<RootContent>;
}

/**
 * The sections that a guideline asks for: those under "Section N" headings together with the outline's, else the
 * outline's, else the headings of the second level that are not about the guideline itself.
 */
export function outlineOf(parts: readonly GuidelinePart[]): GuidelineOutline {
  const outline = parts.find((part) => isOutlineHeading(part.heading));
  const outlined = outline === undefined ? [] : draftsOfOutline(outline, parts).slice(0, MAX_SECTIONS);
  const explicit = parts
    .filter((part) => numberedSection(part.heading) !== null)
    .slice(0, MAX_SECTIONS)
    .map(draftOf);
  const drafts =
    explicit.length > 0
      ? merged(explicit, outlined)
      : outlined.length > 0
        ? outlined.map((draft) => withBody(draft, parts))
        : parts
            .filter((part) => part.depth === 2 && !isMetaHeading(part.heading))
            .slice(0, MAX_SECTIONS)
            .map(draftOf);
  return {
    sections: drafts.map(sectionOf),
    nodes: new Set([...drafts.flatMap((draft) => draft.body), ...(outline?.body ?? [])]),
  };
}

function draftOf(part: GuidelinePart): Draft {
  return { ...nameOf(part.heading), body: part.body, notes: [] };
}

function nameOf(written: string): { title: string; number: number | null } {
  const section = numberedSection(written);
  const name = (section?.name || written)
    .replace(/^\d+\s*[.):]\s+/, "")
    .replace(/\s*[([][^()[\]]*\bwords?\s*[)\]]\s*$/i, "")
    .replace(/[\s:.\u2026]+$/, "");
  return { title: name || written, number: section?.number ?? null };
}

function draftsOfOutline(outline: GuidelinePart, parts: readonly GuidelinePart[]): Draft[] {
  const from = parts.indexOf(outline) + 1;
  const end = parts.findIndex((part, index) => index >= from && part.depth <= outline.depth);
  const within = parts.slice(from, end === -1 ? undefined : end);
  if (within.length > 0) {
    const top = Math.min(...within.map((part) => part.depth));
    return within.filter((part) => part.depth === top && !isSourcesHeading(part.heading)).map(draftOf);
  }
  return entriesOf(outline.body)
    .filter((entry) => entry.text !== "" && !isLengthLine(entry.text) && !isSourcesHeading(entry.text))
    .map((entry, index) => draftOfEntry(entry, index + 1));
}

function draftOfEntry(entry: ListEntry, position: number): Draft {
  // "**Title** - what it is about": the bold text is the title.
  const after = entry.lead === null ? "" : entry.text.slice(entry.lead.length);
  const note = /^\s*[:\-\u2010-\u2015\uFF1A]\s*(.+)$/.exec(after)?.[1];
  const { title, number } = nameOf(note === undefined || entry.lead === null ? entry.text : entry.lead);
  const own = note === undefined ? wordNote(entry.text) : [{ text: note, lead: null, children: [] }];
  return { title, number: number ?? position, body: [], notes: [...own, ...entry.children] };
}

/** "Title (300 words)" states the length of the section. */
function wordNote(text: string): ListEntry[] {
  const length = wordCountIn(text);
  return length === null ? [] : [{ text: `Section length: ${length} words`, lead: null, children: [] }];
}

/** Adds what the outline says: notes to the section of the same name or number, and sections without a heading. */
function merged(explicit: readonly Draft[], outlined: readonly Draft[]): Draft[] {
  const result = [...explicit];
  let at = 0;
  for (const item of outlined) {
    const byTitle = result.findIndex((draft) => isSameTitle(draft, item));
    const index = byTitle === -1 ? result.findIndex((draft) => draft.number === item.number) : byTitle;
    const found = result[index];
    if (found === undefined) result.splice(at, 0, item);
    else if (item.body.length === 0) result[index] = { ...found, notes: [...found.notes, ...item.notes] };
    at = (found === undefined ? at : index) + 1;
  }
  return result;
}

function withBody(draft: Draft, parts: readonly GuidelinePart[]): Draft {
  if (draft.body.length > 0) return draft;
  const part = parts.find((other) => isSameTitle(draft, nameOf(other.heading)));
  return part === undefined ? draft : { ...draft, body: part.body };
}

function isSameTitle(a: { readonly title: string }, b: { readonly title: string }): boolean {
  const bare = (title: string) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
  return bare(a.title) === bare(b.title);
}

function sectionOf(draft: Draft): GuidelineSection {
  const entries = [...entriesOf(draft.body), ...(draft.body.length === 0 ? draft.notes : [])];
  const prose = paragraphsOf(draft.body);
  const points = keyPointsOf(entries);
  // What the outline says counts for code even if the section itself says more.
  const all = [draft.title, ...prose, ...points, ...keyPointsOf(draft.notes)];
  const lengths = [...allTexts(entries), ...prose, ...allTexts(draft.notes)].filter(isLengthLine);
  return {
    title: draft.title,
    key_points: points.length > 0 ? points : prose.filter((text) => !isLengthLine(text)),
    target_word_count: lengths.map(wordCountIn).find((count) => count !== null) ?? null,
    include_code: wantsCode(all),
  };
}

function allTexts(entries: readonly ListEntry[]): string[] {
  return entries.flatMap((entry) => [entry.text, ...allTexts(entry.children)]);
}

/** Every entry is a key point; a short entry that only introduces others ("Strengths:") is put before each of them. */
function keyPointsOf(entries: readonly ListEntry[], prefix = ""): string[] {
  return entries.flatMap((entry) => {
    if (isLengthLine(entry.text) || /^transition to (?:the next )?section\b/i.test(entry.text)) return [];
    const introduces =
      entry.children.length > 0 && entry.text.endsWith(":") && entry.text.length <= LONGEST_PREFIX;
    if (introduces) return keyPointsOf(entry.children, `${prefix}${entry.text} `);
    const own = entry.text === "" ? [] : [`${prefix}${entry.text}`];
    return [...own, ...keyPointsOf(entry.children, prefix)];
  });
}

function wantsCode(texts: readonly string[]): boolean | null {
  if (texts.some((text) => CODE_WANTED.test(text.replace(CODE_UNWANTED, "")))) return true;
  return texts.some((text) => CODE_UNWANTED.test(text)) ? false : null;
}
