import { type CodeBlock, readCodeBlocks } from "./code-blocks.ts";

/** A code block of an article. Lines are 1-based lines of the article. */
export interface Fence {
  /** Counts from 1 in the order of `start_line`, blocks nested in Markdown samples included. */
  index: number;
  /** The language the info string names, in its usual spelling (`py` is `python`); never guessed from the code. */
  language: string | null;
  /** The text behind the opening fence as written, trimmed. */
  info: string;
  /** The code with LF line endings, without container markers and without the last line ending. */
  code: string;
  /** Of the opening fence (line k of the code is `start_line + k`); of an indented block, of its first line. */
  start_line: number;
  /** Of the closing fence; of an unclosed or indented block, of its last line of code. */
  end_line: number;
  /** Set on a block that stands inside a Markdown sample. */
  nested_in?: "markdown";
  /** No closing fence belongs to the block: it ended with its list item, its quote or the article. */
  unclosed: boolean;
  /** Code by indentation of four columns, without fences. */
  indented: boolean;
  /** The code holds what looks like the opening of another fence: the block was probably meant to go on. */
  suspicious_nesting: boolean;
}

/** A block in its place: what was reported of it, and the Markdown sample it stands in. */
export interface LocatedFence {
  fence: Fence;
  block: CodeBlock;
  parent: LocatedFence | null;
}

/**
 * Every code block of an article, in order: fenced blocks whatever their language, indented code, and the fenced
 * blocks inside Markdown samples. Reads CommonMark 0.31.2 with GFM tables; front matter and raw HTML hold no blocks.
 */
export function extractFences(markdown: string): Fence[] {
  return locateFences(markdown).map((located) => located.fence);
}

export function locateFences(markdown: string): LocatedFence[] {
  const found: LocatedFence[] = [];
  collect(markdown, null, found);
  return found;
}

/** The part of a Markdown sample that is read as Markdown: all of it, or what precedes its suspicious line. */
export function sampleSource(block: CodeBlock): string {
  if (block.suspiciousAt === -1) return block.code;
  return block.code.split("\n").slice(0, block.suspiciousAt).join("\n");
}

function collect(source: string, parent: LocatedFence | null, found: LocatedFence[]): void {
  const offset = parent?.fence.start_line ?? 0;
  for (const block of readCodeBlocks(source)) {
    const indented = block.opening === null;
    if (indented && parent !== null) continue;
    const fence: Fence = {
      index: found.length + 1,
      language: block.language,
      info: block.info,
      code: block.code,
      start_line: block.startLine + offset,
      end_line: block.endLine + offset,
      ...(parent === null ? {} : { nested_in: "markdown" as const }),
      unclosed: block.unclosed,
      indented,
      suspicious_nesting: block.suspiciousAt !== -1,
    };
    const located = { fence, block, parent };
    found.push(located);
    if (block.language === "markdown") collect(sampleSource(block), located, found);
  }
}
