import type { Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { listStart } from "./list-start.ts";
import { normaliseSource, parserInput } from "./source-text.ts";

/** One tilde is "about" in technical prose ("~5 ms") far more often than strikethrough, which takes two. */
export const gfmOptions = { singleTilde: false } as const;

/** Reads CommonMark with GFM into mdast. Lines are those of the text as given, offsets are not: see `locateMarkdown`. */
export function parseMarkdown(text: string): Root {
  return fromMarkdown(parserInput(normaliseSource(text)), {
    extensions: [gfm(gfmOptions), listStart()],
    mdastExtensions: [gfmFromMarkdown()],
  });
}

/**
 * Reads a text that `normaliseSource` has prepared exactly as github.com reads its syntax, one tilde included. URLs
 * that show only once escapes are decoded are not linked, so every node has a position, and its offsets hold.
 */
export function parseGitHubMarkdown(source: string): Root {
  const mdastExtensions = gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] }));
  return fromMarkdown(parserInput(source), { extensions: [gfm(), listStart()], mdastExtensions });
}
