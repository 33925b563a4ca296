import { type Fence, proseBlocks } from "@proofroom/markdown";
import { candidateOf } from "./candidate.ts";

const label =
  /^(?:(?:the )?(?:(?:expected|console) )?(?:outputs?|results?)(?: is)?|(?:it|this|which) (?:will )?(?:outputs?|prints?)|prints)$/;

/**
 * Which blocks show the output of the block before them: index of the output block to index of the code. Between the
 * two there is nothing but a paragraph such as `Output:` or `**It prints**`.
 */
export function outputBlocks(markdown: string, fences: readonly Fence[]): Map<number, number> {
  const lines = markdown.replace(/\r\n?/g, "\n").split("\n");
  const found = new Map<number, number>();
  for (const [at, fence] of fences.entries()) {
    const previous = fences[at - 1];
    if (previous === undefined || fence.indented) continue;
    if (fence.language !== null && fence.language !== "text" && fence.language !== "output") continue;
    const candidate = candidateOf(previous);
    if (candidate === null || candidate.transcript) continue;
    if (isLabel(lines.slice(previous.end_line, fence.start_line - 1))) found.set(fence.index, previous.index);
  }
  return found;
}

function isLabel(lines: readonly string[]): boolean {
  // Inside a list item the lines are indented, which alone they must not be.
  const blocks = proseBlocks(lines.map((line) => line.trimStart()).join("\n"));
  const [only] = blocks;
  if (only === undefined || blocks.length > 1 || only.kind === "heading" || only.kind === "table_row") {
    return false;
  }
  const words = only.text
    .replace(/[^\p{L}\p{N}\s]+/gu, " ")
    .trim()
    .replace(/\s+/g, " ");
  return label.test(words.toLowerCase());
}

/** Whether output is what an article shows. A line of `...` or `…` alone stands for any number of lines. */
export function matchesOutput(shown: string, actual: string): boolean {
  const expected = trimmedLines(shown);
  const lines = trimmedLines(actual);
  // reach[k]: the lines before k can be what the expected lines so far describe.
  let reach = new Set([0]);
  for (const line of expected) {
    const next = new Set<number>();
    if (line === "..." || line === "…") {
      const first = Math.min(...reach);
      for (let at = first; at <= lines.length; at += 1) next.add(at);
    } else {
      for (const at of reach) if (lines[at] === line) next.add(at + 1);
    }
    if (next.size === 0) return false;
    reach = next;
  }
  return reach.has(lines.length);
}

function trimmedLines(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trimEnd());
  while (lines.at(-1) === "") lines.pop();
  return lines;
}
