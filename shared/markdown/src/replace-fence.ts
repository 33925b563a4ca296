import { ProofroomError } from "@proofroom/contracts";
import { type CodeBlock, fenceLines } from "./code-blocks.ts";
import { type Fence, type LocatedFence, locateFences, sampleSource } from "./extract-fences.ts";
import { joinLines, type SourceLine, splitByteOrderMark, splitLines } from "./source-text.ts";

export interface FenceChange {
  code?: string;
  info?: string;
}

/**
 * Writes new code or a new info string into a block of an article and leaves everything else as it stands: list
 * indentation, quote markers, line endings and the rest of the text. The fence grows where the new code holds
 * fences of its own; an unclosed block that gets new code is closed behind it. Line endings of `code` may be any.
 *
 * @throws ProofroomError `conflict` where the article no longer holds that block, `invalid_input` for an indented
 * block and for an info string of more than one line
 */
export function replaceFence(markdown: string, fence: Fence, change: FenceChange): string {
  const located = locateFences(markdown)[fence.index - 1];
  if (
    located === undefined ||
    located.fence.start_line !== fence.start_line ||
    located.fence.code !== fence.code
  ) {
    throw new ProofroomError({
      code: "conflict",
      message: `Code block ${fence.index} is no longer on line ${fence.start_line} of the article.`,
      remedy: "Extract the code blocks again.",
    });
  }
  return rewriteLocated(markdown, located, change);
}

/** Rewrites a block and, where it stands in a Markdown sample, the sample around it. */
function rewriteLocated(markdown: string, { parent, block }: LocatedFence, change: FenceChange): string {
  if (parent === null) return rewrite(markdown, block, change);
  const sample = sampleSource(parent.block);
  const code = rewrite(sample, block, change) + parent.fence.code.slice(sample.length);
  return rewriteLocated(markdown, parent, { code });
}

function rewrite(source: string, block: CodeBlock, change: FenceChange): string {
  if (block.opening === null) {
    throw new ProofroomError({
      code: "invalid_input",
      message: "A code block made by indentation cannot be rewritten.",
      remedy: "Put fences around the code.",
    });
  }
  const code = change.code?.replace(/\r\n?/g, "\n");
  const info = change.info?.replace(/^[ \t]+|[ \t]+$/g, "");
  const { sequence, column } = block.opening;
  const marker = fitSequence(sequence, block.code, code ?? block.code, info ?? block.info);

  const { mark, rest } = splitByteOrderMark(source);
  const lines = splitLines(rest);
  const opening = lines[block.startLine - 1] ?? { text: "", eol: "" };
  const last = lines[block.endLine - 1] ?? opening;
  const eol = opening.eol || lines[0]?.eol || "\n";
  const prefix = opening.text.slice(0, column);
  const further = continuation(prefix);

  const written = [{ text: prefix + marker + (info ?? opening.text.slice(column + sequence.length)), eol }];
  if (code === undefined) {
    written.push(...lines.slice(block.startLine, block.endLine - (block.unclosed ? 0 : 1)));
  } else {
    written.push(...codeLines(code, further, eol));
  }
  if (!block.unclosed) {
    const text = marker === sequence ? last.text : last.text.replace(/[`~]+(?=[ \t]*$)/, marker);
    written.push({ text, eol: last.eol });
  } else if (code !== undefined) {
    written.push({ text: further + marker, eol: last.eol });
  } else if (block.startLine === block.endLine) {
    written[0] = { text: written[0]?.text ?? "", eol: last.eol };
  }
  const length = block.endLine - block.startLine + 1;
  return mark + joinLines(lines.toSpliced(block.startLine - 1, length, ...written));
}

/** What every further line of a block begins with: quote markers stay, list markers become spaces. */
function continuation(prefix: string): string {
  const spaced = prefix.replace(/[^>\s]/g, " ");
  // A space directly behind a quote marker belongs to the marker: without one, the code would lose its own.
  return spaced.endsWith(">") ? `${spaced} ` : spaced;
}

function codeLines(code: string, prefix: string, eol: string): SourceLine[] {
  if (code === "") return [];
  return code.split("\n").map((line) => ({ text: line === "" ? prefix.trimEnd() : prefix + line, eol }));
}

/**
 * The fence characters for a block: the ones it has, changed only where code or info do not fit between them.
 * Fence-like lines that the block holds already did not end it and are no reason to change.
 */
function fitSequence(sequence: string, oldCode: string, newCode: string, info: string): string {
  if (/[\r\n]/.test(info)) {
    throw new ProofroomError({
      code: "invalid_input",
      message: "The info string of a code block is one line.",
    });
  }
  // Backticks in the info string would make a code span of a backtick fence.
  const character = info.includes("`") ? "~" : sequence.charAt(0);
  const known = character === sequence.charAt(0) ? oldCode.split("\n") : [];
  const lengths = fenceLines(newCode, character)
    .filter(({ text }) => {
      const at = known.indexOf(text);
      if (at !== -1) known.splice(at, 1);
      return at === -1;
    })
    .map(({ length }) => length + 1);
  return character.repeat(Math.max(sequence.length, ...lengths));
}
