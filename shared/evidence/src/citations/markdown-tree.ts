import { parseMarkdown } from "@proofroom/markdown";
import type { Nodes } from "mdast";

/** A stretch of a text, in UTF-16 code units. */
export interface Range {
  start: number;
  end: number;
}

/** The node and all below it, in document order. */
export function* walk(node: Nodes): Generator<Nodes> {
  yield node;
  if ("children" in node) for (const child of node.children) yield* walk(child);
}

/**
 * Parses a text and answers where a node stands in it. Goes by line and column: the parser sees other line
 * endings than the text may have, so its offsets are not the text's.
 */
export function parseWithRanges(text: string): { nodes: Nodes[]; rangeOf: (node: Nodes) => Range } {
  const lineStarts = [text.startsWith("\ufeff") ? 1 : 0];
  for (const { index, 0: ending } of text.matchAll(/\r\n|\n|\r/g)) lineStarts.push(index + ending.length);
  const offset = (point: { line: number; column: number } | undefined) =>
    (lineStarts[(point?.line ?? 1) - 1] ?? text.length) + (point?.column ?? 1) - 1;
  return {
    nodes: [...walk(parseMarkdown(text))],
    rangeOf: (node) => ({ start: offset(node.position?.start), end: offset(node.position?.end) }),
  };
}
