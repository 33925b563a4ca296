import type { Nodes, Root } from "mdast";
import { LineIndex } from "./line-index.ts";
import { parseMarkdown } from "./parse.ts";

/** A stretch of a text, in UTF-16 code units; `end` is exclusive. */
export interface Range {
  start: number;
  end: number;
}

/** The syntax tree of a text, and where its nodes stand in the text as given. */
export interface LocatedTree {
  root: Root;
  rangeOf(node: Nodes): Range;
}

/**
 * Parses a text and answers where a node stands in it. Goes by line and column: the parser sees other line
 * endings, no byte-order mark and no front matter, so the offsets of its positions are not the text's.
 */
export function locateMarkdown(text: string): LocatedTree {
  const lines = new LineIndex(text);
  const offset = (point: { line: number; column: number } | undefined) => {
    const { line, column } = point ?? { line: 1, column: 1 };
    const mark = line === 1 && text.startsWith("\ufeff") ? 1 : 0;
    return lines.startOf(line) + column - 1 + mark;
  };
  return {
    root: parseMarkdown(text),
    rangeOf: ({ position }) => ({ start: offset(position?.start), end: offset(position?.end) }),
  };
}
