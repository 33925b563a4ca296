import { idMarker, locateMarkdown, type Range } from "@proofroom/markdown";
import type { Nodes, TableRow } from "mdast";
import { sentencesOf } from "../refine/article-text.ts";

/** Sets markers at the sentences and rows that a test names and that have none. */
export function citeAll(
  body: string,
  ids: readonly string[],
  names: (key: string, line: number) => boolean,
): string {
  const marker = ` ${ids.map((id) => `[${id}]`).join("")}`;
  const places = [
    ...sentencesOf(body).filter(({ key, text }) => names(key, 0) && !idMarker.test(text)),
    ...rowsOf(body).filter(({ line, text }) => names("", line) && !idMarker.test(text)),
  ].map(({ end }) => end);
  return [...new Set(places)]
    .sort((a, b) => b - a)
    .reduce((text, at) => text.slice(0, at) + marker + text.slice(at), body);
}

/** Where the words of a table's rows end. */
function rowsOf(body: string): { end: number; line: number; text: string }[] {
  const { root, rangeOf } = locateMarkdown(body);
  const found: { end: number; line: number; text: string }[] = [];
  const visit = (node: Nodes) => {
    if (node.type === "tableRow") {
      const words = node.children.findLast(({ children }) => children.length > 0)?.children.at(-1);
      const { start, end } = rangeOf(node);
      const line = node.position?.start.line ?? 1;
      if (words !== undefined) found.push({ end: rangeOf(words).end, line, text: body.slice(start, end) });
    } else if ("children" in node) for (const child of node.children) visit(child);
  };
  visit(root);
  return found;
}

/** Takes out the innermost blocks that stand on some lines: of a table a row, or all of it where its header is meant. */
export function removeBlocks(body: string, lines: ReadonlySet<number>): string {
  const { root, rangeOf } = locateMarkdown(body);
  const cuts: Range[] = [];
  const isMeant = ({ position }: Nodes) => {
    for (let line = position?.start.line ?? 1; line <= (position?.end.line ?? 0); line += 1)
      if (lines.has(line)) return true;
    return false;
  };
  const visit = (node: Nodes, outer: Range) => {
    if (node !== root && !isMeant(node)) return;
    const range = rangeOf(node);
    if (node.type === "table") {
      const [header, ...rows] = node.children as [TableRow, ...TableRow[]];
      if (isMeant(header) || rows.every(isMeant)) cuts.push(range);
      else for (const row of rows) if (isMeant(row)) cuts.push(rangeOf(row));
    } else if (node.type === "paragraph" || node.type === "heading" || node.type === "html") {
      cuts.push(outer);
    } else if ("children" in node) {
      const alone = node.type === "listItem" && node.children.length === 1;
      for (const child of node.children) visit(child, alone ? range : rangeOf(child));
    }
  };
  visit(root, rangeOf(root));
  return cuts
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, { start, end }) => {
      const newline = text[end] === "\n" ? 1 : 0;
      return text.slice(0, start) + text.slice(end + newline);
    }, body);
}
