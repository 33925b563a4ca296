import type { SourceIndex } from "@proofroom/contracts";
import { numberCitations, renderReferences } from "@proofroom/evidence";
import { tableOfContents } from "@proofroom/markdown";
import { type ArticlePart, insertPart, joinArticle, splitArticle } from "./article-parts.ts";

/**
 * Numbers the citations of an article that cites by id and makes its references anew. A list that says the same
 * already stays as it is, to the byte.
 * @throws ProofroomError invalid_input where an unknown id is cited
 */
export function renumber(markdown: string, index: SourceIndex): string {
  const parts = splitArticle(markdown);
  const at = parts.findIndex(({ kind }) => kind === "references");
  // What stands behind the list is numbered after what stands before it.
  const before = at === -1 ? parts : parts.slice(0, at);
  const behind = at === -1 ? [] : parts.slice(at + 1);
  const mark = "\n\n<!-- references -->\n\n";
  const numbered = numberCitations(joinArticle(before) + mark + joinArticle(behind), index);
  const [head = "", tail = ""] = numbered.markdown.split(mark);
  const list = renderReferences(numbered.references).trim();
  if (at === -1) {
    if (list === "") return head;
    const front = splitArticle(head);
    return joinArticle(insertPart(front, front.length, newPart("references", "References", list)));
  }
  return joinArticle([...splitArticle(head), renewed(parts[at] as ArticlePart, list), ...splitArticle(tail)]);
}

/** The article with a table of contents that fits its headings. */
export function withContents(markdown: string): string {
  const parts = splitArticle(markdown);
  const at = parts.findIndex(({ kind }) => kind === "contents");
  if (at === -1) {
    const before = parts.findIndex(({ kind }) => kind === "section" || kind === "references");
    if (before === -1) return markdown;
    const part = newPart("contents", "Table of Contents", contentsOf(markdown));
    return joinArticle(insertPart(parts, before, part));
  }
  return joinArticle(parts.with(at, renewed(parts[at] as ArticlePart, contentsOf(markdown))));
}

/** The list below `## Table of Contents`. */
export function contentsOf(markdown: string): string {
  return tableOfContents(markdown, { maxDepth: 2 }).trim();
}

function newPart(kind: ArticlePart["kind"], heading: string, body: string): ArticlePart {
  return { kind, heading, markdown: `## ${heading}\n\n${body}\n` };
}

function renewed(part: ArticlePart, body: string): ArticlePart {
  const heading = part.markdown.split("\n")[0] ?? "";
  const rest = part.markdown.slice(heading.length);
  if (rest.trim() === body) return part;
  const end = /\n*$/.exec(rest)?.[0] ?? "\n";
  return { ...part, markdown: `${heading}\n\n${body}${end}` };
}
