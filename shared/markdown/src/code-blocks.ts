import type { Code, Nodes } from "mdast";
import { type Extension, fromMarkdown } from "mdast-util-from-markdown";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTable } from "micromark-extension-gfm-table";
import { visit } from "unist-util-visit";
import { fenceLanguage } from "./fence-language.ts";
import { listStart } from "./list-start.ts";
import { normaliseSource, parserInput } from "./source-text.ts";

/** A code block of one source text, with what is needed to write it anew. */
export interface CodeBlock {
  language: string | null;
  info: string;
  code: string;
  /** 1-based line of the opening fence; of an indented block, of its first line of code. */
  startLine: number;
  /** 1-based line of the closing fence; of other blocks, of the last line of code. */
  endLine: number;
  unclosed: boolean;
  /** The fence characters and where they begin on their line; null for an indented block. */
  opening: { sequence: string; column: number } | null;
  /** 0-based line of the code that looks like the opening of a further fence; -1 where none does. */
  suspiciousAt: number;
}

interface FenceTokens {
  sequence: string;
  /** Offsets in the source. */
  start: number;
  end: number;
  closed: boolean;
}

/**
 * The code blocks of a text in order, as CommonMark with GFM tables reads it, without those inside Markdown
 * samples. `source` may still hold a byte-order mark, CRLF and front matter.
 */
export function readCodeBlocks(source: string): CodeBlock[] {
  const text = normaliseSource(source);
  const tokens = new Map<Nodes, FenceTokens>();
  const tree = fromMarkdown(parserInput(text), {
    extensions: [gfmTable(), listStart()],
    mdastExtensions: [gfmTableFromMarkdown(), fenceTokens(tokens)],
  });
  const blocks: CodeBlock[] = [];
  visit(tree, "code", (node, index, parent) => {
    const fence = tokens.get(node);
    if (fence !== undefined) {
      blocks.push(fencedBlock(node, fence, text));
      return;
    }
    const block = indentedBlock(node);
    const before = parent?.children[(index ?? 0) - 1];
    const last = blocks.at(-1);
    // Behind a quote or list that ends, the parser cuts indented code in pieces; CommonMark has no such neighbours.
    if (before?.type === "code" && !tokens.has(before) && last !== undefined) {
      last.code += "\n".repeat(block.startLine - last.endLine) + block.code;
      last.endLine = block.endLine;
    } else {
      blocks.push(block);
    }
  });
  return blocks;
}

/** The lines of a code that look like fences of `character`: with an info string they seem to open a block. */
export function fenceLines(
  code: string,
  character: string,
): { line: number; text: string; length: number; info: string }[] {
  const pattern = character === "~" ? /^ {0,3}(~{3,})(.*)$/s : /^ {0,3}(`{3,})([^`]*)$/s;
  return code.split("\n").flatMap((text, line) => {
    const match = pattern.exec(text);
    if (match === null) return [];
    return [{ line, text, length: (match[1] ?? "").length, info: trimBlanks(match[2] ?? "") }];
  });
}

function fenceTokens(tokens: Map<Nodes, FenceTokens>): Extension {
  return {
    enter: {
      codeFencedFenceSequence(token) {
        const top = this.stack.at(-1);
        // Once the opening fence is read, the content is collected in a fragment above the node.
        const node = top?.type === "code" ? top : this.stack.at(-2);
        if (node === undefined) return;
        const known = tokens.get(node as Nodes);
        if (known !== undefined) known.closed = true;
        else {
          tokens.set(node as Nodes, {
            sequence: this.sliceSerialize(token),
            start: token.start.offset,
            end: token.end.offset,
            closed: false,
          });
        }
      },
    },
  };
}

function indentedBlock(node: Code): CodeBlock {
  const startLine = node.position?.start.line ?? 1;
  const code = withoutTrailingBlankLines(node.value);
  return {
    language: null,
    info: "",
    code,
    startLine,
    endLine: startLine + code.split("\n").length - 1,
    unclosed: false,
    opening: null,
    suspiciousAt: -1,
  };
}

function fencedBlock(node: Code, fence: FenceTokens, text: string): CodeBlock {
  const lineStart = text.lastIndexOf("\n", fence.start - 1) + 1;
  const lineEnd = text.indexOf("\n", fence.end);
  const info = trimBlanks(text.slice(fence.end, lineEnd === -1 ? text.length : lineEnd));
  const code = fence.closed ? node.value : withoutTrailingBlankLines(node.value);
  const character = fence.sequence.charAt(0);
  const suspicious = fenceLines(code, character).find(
    (line) => line.info !== "" && line.length >= fence.sequence.length,
  );
  const startLine = node.position?.start.line ?? 1;
  const endLine = fence.closed
    ? (node.position?.end.line ?? startLine)
    : startLine + (code === "" ? 0 : code.split("\n").length);
  return {
    language: fenceLanguage(info, node.lang ?? ""),
    info,
    code,
    startLine,
    endLine,
    unclosed: !fence.closed,
    opening: { sequence: fence.sequence, column: fence.start - lineStart },
    suspiciousAt: suspicious?.line ?? -1,
  };
}

function trimBlanks(text: string): string {
  return text.replace(/^[ \t]+|[ \t]+$/g, "");
}

function withoutTrailingBlankLines(code: string): string {
  const lines = code.split("\n");
  while (lines.length > 0 && /^[ \t]*$/.test(lines.at(-1) ?? "")) lines.pop();
  return lines.join("\n");
}
