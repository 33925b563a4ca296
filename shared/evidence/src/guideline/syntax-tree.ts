import { normaliseSource, parseGitHubMarkdown, type Range } from "@proofroom/markdown";
import type { Nodes, Root } from "mdast";
import { tameHostileText } from "./hostile-text.ts";

export interface GuidelineTree {
  /** The text that the offsets of the tree's nodes point into. */
  readonly source: string;
  readonly root: Root;
}

/** Parses a guideline as GitHub-flavoured Markdown. Every node of the tree has a position. */
export function parseGuidelineTree(text: string): GuidelineTree {
  const source = tameHostileText(normaliseSource(text));
  // The parser's own links to escaped URLs ("https\\://") would be none; bare URLs are found by scanning the text.
  return { source, root: parseGitHubMarkdown(source) };
}

/** Where a node lies in the source. */
export function rangeOf(node: Nodes): Range {
  return { start: node.position?.start.offset ?? 0, end: node.position?.end.offset ?? 0 };
}
