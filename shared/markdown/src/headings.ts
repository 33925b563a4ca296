import GithubSlugger from "github-slugger";
import type { Heading, Root } from "mdast";
import { toString as textOf } from "mdast-util-to-string";
import { visit } from "unist-util-visit";

export interface HeadingInfo {
  depth: number;
  /** Plain text, without emphasis and inline HTML; an image counts by its alt text. */
  text: string;
  /** GitHub's id for it: unique within the article. */
  slug: string;
  /** 1-based. */
  line: number;
  /** False where it stands in a quote or a list. */
  top: boolean;
}

/** The headings of an article in order. All are slugged, since ids are counted over the whole page. */
export function headingsOf(tree: Root): HeadingInfo[] {
  const slugger = new GithubSlugger();
  const found: HeadingInfo[] = [];
  visit(tree, "heading", (node, _index, parent) => {
    const text = headingText(node);
    found.push({
      depth: node.depth,
      text: text.replace(/\s+/g, " ").trim(),
      slug: slugger.slug(text),
      line: node.position?.start.line ?? 1,
      top: parent?.type === "root",
    });
  });
  return found;
}

export function headingText(node: Heading): string {
  return textOf(node, { includeHtml: false });
}

/** Whether a heading opens the article's own table of contents. */
export function isContentsHeading(text: string): boolean {
  return /^(?:table of )?contents:?$/i.test(text.trim());
}

/** Whether a heading opens a list of references. */
export function isReferencesHeading(text: string): boolean {
  return /^references:?$/i.test(text.trim());
}

/** What two titles have in common when they name the same section: no case, no punctuation, no number before it. */
export function titleKey(title: string): string {
  return title
    .normalize("NFKC")
    .toLowerCase()
    .replace(
      /^\s*(?:(?:section|part|chapter|step)\s+\d+|\d+(?:\.\d+)*(?=[\s.:)–—-]))\s*[.:)–—-]?\s*(?=\S)/u,
      "",
    )
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
