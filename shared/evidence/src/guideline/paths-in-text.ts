import type { Range } from "@proofroom/markdown";
import type { Heading, Paragraph, TableCell } from "mdast";
import { looksLikeFile } from "./local-path.ts";
import { rangeOf } from "./syntax-tree.ts";

/** A piece of running text; `isItemHead` tells that it is the first paragraph of a list item. */
export interface TextBlock {
  readonly node: Paragraph | Heading | TableCell;
  readonly isItemHead: boolean;
}

interface WrittenPath {
  readonly offset: number;
  readonly text: string;
}

/**
 * Finds the paths in running text: whole texts between double quotes, and list items that are nothing but a path. Reads
 * the source, not the text of the nodes, where emphasis has eaten the underscores of a name such as `__init__.py`.
 *
 * @param blocks - in document order
 * @param opaque - stretches to be left out, in document order
 */
export function pathsInBlocks(
  source: string,
  blocks: readonly TextBlock[],
  opaque: readonly Range[],
): WrittenPath[] {
  const paths: WrittenPath[] = [];
  let next = 0;
  for (const { node, isItemHead } of blocks) {
    const block = contentRange(node);
    if (block === null) continue;
    let prose = "";
    let at = block.start;
    for (let hidden = opaque[next]; hidden !== undefined && hidden.start < block.end; hidden = opaque[next]) {
      // Same length, so that offsets stay; NUL is in no path.
      if (hidden.start >= at) {
        prose += source.slice(at, hidden.start) + "\0".repeat(hidden.end - hidden.start);
        at = hidden.end;
      }
      next += 1;
    }
    prose += source.slice(at, block.end);
    if (isItemHead && looksLikeFile(prose.trim())) paths.push({ offset: block.start, text: prose.trim() });
    for (const quoted of quotedTexts(prose)) {
      if (looksLikeFile(quoted.text)) paths.push({ offset: block.start + quoted.offset, text: quoted.text });
    }
  }
  return paths;
}

/** From the first to the last child: without a heading's marks, a table cell's bars and an item's task box. */
function contentRange(block: TextBlock["node"]): Range | null {
  const first = block.children[0];
  const last = block.children.at(-1);
  return first === undefined || last === undefined
    ? null
    : { start: rangeOf(first).start, end: rangeOf(last).end };
}

/** The texts between every two neighbouring double quotes, so that a stray quote does no harm. */
function quotedTexts(prose: string): WrittenPath[] {
  const quotes = [...prose.matchAll(/["\u201C\u201D]/g)];
  return quotes.flatMap((quote, index) => {
    const close = quotes[index + 1];
    const isPair = close !== undefined && ['""', "\u201C\u201D"].includes(quote[0] + close[0]);
    const offset = quote.index + 1;
    return isPair ? [{ offset, text: prose.slice(offset, close.index) }] : [];
  });
}
