import { headingsOf } from "./headings.ts";
import { parseMarkdown } from "./parse.ts";
import { joinLines, splitLines } from "./source-text.ts";

export interface Section {
  /** Plain text of the heading; null for what precedes the first one. */
  heading: string | null;
  /** 1 to 6; 0 for what precedes the first heading. */
  depth: number;
  /** GitHub's id of the heading; empty for what precedes the first one. */
  slug: string;
  /** 1-based line of the heading. */
  start_line: number;
  /** Last line of the section, inclusive. */
  end_line: number;
  /** The lines as they stand, heading included. */
  markdown: string;
}

/**
 * Cuts an article before each of its headings, whatever their depth: a section ends where the next heading begins.
 * Headings in quotes and lists, and `#` lines in code, do not count. The sections joined are the article again.
 */
export function splitSections(markdown: string): Section[] {
  const lines = splitLines(markdown);
  const headings = headingsOf(parseMarkdown(markdown)).filter((heading) => heading.top);
  const starts = headings.map(({ text, depth, slug, line }) => ({ heading: text, depth, slug, line }));
  const cuts: { heading: string | null; depth: number; slug: string; line: number }[] =
    (starts[0]?.line ?? 2) > 1 ? [{ heading: null, depth: 0, slug: "", line: 1 }, ...starts] : starts;
  return cuts
    .map(({ line, ...cut }, at) => {
      const end = (cuts[at + 1]?.line ?? lines.length + 1) - 1;
      return { ...cut, start_line: line, end_line: end, markdown: joinLines(lines.slice(line - 1, end)) };
    })
    .filter((section) => section.markdown !== "");
}
