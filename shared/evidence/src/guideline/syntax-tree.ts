import type { Nodes, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { normalizeGuidelineText } from "./guideline-text.ts";
import { tameHostileText } from "./hostile-text.ts";

export interface GuidelineTree {
  /** The text that the offsets of the tree's nodes point into. */
  readonly source: string;
  readonly root: Root;
}

/** Offsets of the first character and of the one after the last. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Parses a guideline as GitHub-flavoured Markdown. Every node of the tree has a position. */
export function parseGuidelineTree(text: string): GuidelineTree {
  const source = tameHostileText(normalizeGuidelineText(text));
  // Without the transforms, which would link URLs in decoded text (such as "https\://", escaped on purpose) and leave
  // the new nodes without positions. What they are for, bare URLs after a stray bracket, is found by scanning text.
  const mdastExtensions = gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] }));
  return { source, root: fromMarkdown(source, { extensions: [gfm()], mdastExtensions }) };
}

/** Where a node lies in the source. */
export function rangeOf(node: Nodes): Range {
  return { start: node.position?.start.offset ?? 0, end: node.position?.end.offset ?? 0 };
}
