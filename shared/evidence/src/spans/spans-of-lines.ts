import type { Span } from "@proofroom/contracts";
import { LineIndex } from "@proofroom/markdown";
import { cutLong } from "./cut-long.ts";

export interface LinesOptions {
  /** The file of the locators. */
  file?: string;
  /** As a fence would name it; null where unknown. */
  language: string | null;
  /** Longest span in lines (60). */
  maxLines?: number;
}

interface Line {
  start: number;
  /** Without the line ending. */
  end: number;
  number: number;
  blank: boolean;
  indented: boolean;
}

/** Blocks up to so many lines (imports, constants) are joined with what follows them. */
const fewLines = 8;

/**
 * The spans of a code file: whole top-level blocks (a function with the blank lines inside of it), small ones
 * joined, larger ones cut at blank lines, then at `maxLines`. Every line that is not blank lies in exactly one
 * span; only a stretch of more than 8,000 code units is cut further.
 */
export function spansOfLines(text: string, options: LinesOptions): Span[] {
  const maxLines = options.maxLines ?? 60;
  const lineIndex = new LineIndex(text);
  const chunks = joinSmall(
    topLevelBlocks(linesOf(text)).flatMap((block) => cutBlock(block, maxLines)),
    maxLines,
  );
  return chunks.flatMap((lines) =>
    cutLong(text, stretchOf(lines))
      .filter(({ start, end }) => text.slice(start, end).trim() !== "")
      .map(
        ({ start, end }): Span => ({
          start,
          end,
          kind: "code",
          language: options.language,
          locator: {
            ...(options.file === undefined ? {} : { file: options.file }),
            line_from: lineIndex.lineAt(start),
            line_to: lineIndex.lineAt(end - 1),
          },
        }),
      ),
  );
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const { index, 0: ending } of text.matchAll(/\r\n|\r|\n|$/g)) {
    const content = text.slice(start, index);
    lines.push({
      start,
      end: index,
      number: lines.length + 1,
      blank: content.trim() === "",
      indented: /^\s/.test(content),
    });
    start = index + ending.length;
  }
  return lines;
}

/** Runs of lines, each beginning with an unindented line that follows a blank one. Blank lines stay at the ends. */
function topLevelBlocks(lines: readonly Line[]): Line[][] {
  const blocks: Line[][] = [];
  for (const [index, line] of lines.entries()) {
    const begins = !line.blank && !line.indented && lines[index - 1]?.blank === true;
    const current = blocks.at(-1);
    if (begins || current === undefined) blocks.push([line]);
    else current.push(line);
  }
  return blocks.map(withoutBlankEnds).filter((block) => block.length > 0);
}

/** Pieces of at most `maxLines`: each ends at the last blank line of its second half, where there is one. */
function cutBlock(block: Line[], maxLines: number): Line[][] {
  const pieces: Line[][] = [];
  let from = 0;
  while (block.length - from > maxLines) {
    const window = block.slice(from, from + maxLines + 1);
    const blank = window.findLastIndex((line) => line.blank);
    const length = blank >= maxLines / 2 ? blank : maxLines;
    pieces.push(withoutBlankEnds(window.slice(0, length)));
    from += length;
  }
  pieces.push(withoutBlankEnds(block.slice(from)));
  return pieces.filter((piece) => piece.length > 0);
}

/** Joins a small chunk with the next one while both fit, the blank lines between them included. */
function joinSmall(chunks: readonly Line[][], maxLines: number): Line[][] {
  const joined: Line[][] = [];
  for (const chunk of chunks) {
    const current = joined.at(-1);
    const isSmall = current !== undefined && lineCount(current, current) <= fewLines;
    if (isSmall && lineCount(current, chunk) <= maxLines) current.push(...chunk);
    else joined.push([...chunk]);
  }
  return joined;
}

function lineCount(first: readonly Line[], last: readonly Line[]): number {
  return (last.at(-1)?.number ?? 0) - (first[0]?.number ?? 0) + 1;
}

function stretchOf(lines: readonly Line[]): { start: number; end: number } {
  return { start: lines[0]?.start ?? 0, end: lines.at(-1)?.end ?? 0 };
}

function withoutBlankEnds(lines: Line[]): Line[] {
  const first = lines.findIndex((line) => !line.blank);
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => !line.blank) + 1);
}
