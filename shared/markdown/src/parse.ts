import type { Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { listStart } from "./list-start.ts";
import { parserInput } from "./source-text.ts";

/** One tilde is "about" in technical prose ("~5 ms") far more often than strikethrough, which takes two. */
export const gfmOptions = { singleTilde: false } as const;

/** Reads CommonMark with GFM into mdast. Positions are lines of the text as given; see `normaliseSource`. */
export function parseMarkdown(text: string): Root {
  return fromMarkdown(parserInput(text), {
    extensions: [gfm(gfmOptions), listStart()],
    mdastExtensions: [gfmFromMarkdown()],
  });
}
