import { createHash } from "node:crypto";
import type { Snippet, SnippetManifest, SnippetResult } from "@proofroom/contracts";
import { extractFences, type Fence } from "@proofroom/markdown";
import type { CodeTools } from "./code-tools.ts";
import { type BlockResult, groupsOf, runBlocks } from "./run/run-blocks.ts";
import { snippetFilename, snippetId } from "./snippet-name.ts";

/** Characters of each output stream that a result keeps: results are read by people and kept for each round. */
const KEPT_OUTPUT = 64 * 1024;

export interface CheckOptions {
  /** Whether code is run; else only its syntax is checked. */
  run: boolean;
  /** The blocks that may be run; all by default. */
  only?: ReadonlySet<number>;
  tools: CodeTools;
  signal: AbortSignal;
}

export interface MarkdownCheck {
  manifest: SnippetManifest;
  /** One per block, in order. */
  results: SnippetResult[];
  /** Sets of blocks, by index, that have to be run together. */
  groups: number[][];
}

/**
 * Checks every code block of an article. Apart from `duration_ms`, equal articles give equal results as long as their
 * code prints the same.
 *
 * @throws ProofroomError `cancelled`
 */
export async function checkMarkdown(markdown: string, options: CheckOptions): Promise<MarkdownCheck> {
  const fences = extractFences(markdown);
  const { tools, ...rest } = options;
  const blocks = await runBlocks(markdown, fences, {
    ...rest,
    checkSyntax: tools.checkSyntax,
    python: tools.python,
    driver: tools.driver,
  });
  const pairs = fences.flatMap((fence, at): [Fence, BlockResult][] => {
    const block = blocks[at];
    return block === undefined ? [] : [[fence, block]];
  });
  const snippets = pairs.map(([fence, block]) => snippetOf(fence, block));
  const count = (...states: Snippet["syntax"][]) =>
    snippets.filter((snippet) => states.includes(snippet.syntax)).length;
  return {
    manifest: {
      v: 1,
      article_sha256: sha256(markdown),
      total_snippets: snippets.length,
      valid_syntax_count: count("valid"),
      invalid_syntax_count: count("invalid"),
      // Code for a newer Python than the one here could not be checked to the end.
      unchecked_count: count("unchecked", "needs_python"),
      snippets,
    },
    results: pairs.map(([fence, block]) => resultOf(fence, block)),
    groups: groupsOf(blocks),
  };
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function snippetOf(fence: Fence, block: BlockResult): Snippet {
  const flags = (["indented", "unclosed", "suspicious_nesting"] as const).filter((flag) => fence[flag]);
  return {
    snippet_id: snippetId(fence.index),
    language: fence.language,
    code: fence.code,
    line_estimate: fence.code === "" ? 0 : fence.code.split("\n").length,
    is_valid_syntax: block.syntax === "valid",
    syntax_error: block.syntax_error,
    target_filename: snippetFilename(fence.index, fence.language),
    index: fence.index,
    info: fence.info,
    start_line: fence.start_line,
    syntax: block.syntax,
    error_line: block.error_line,
    sha256: sha256(fence.code),
    flags: fence.nested_in === undefined ? flags : [...flags, "nested"],
  };
}

function resultOf(fence: Fence, block: BlockResult): SnippetResult {
  const stdout = clipped(block.stdout);
  const stderr = clipped(block.stderr);
  return {
    snippet_id: snippetId(fence.index),
    filename: snippetFilename(fence.index, fence.language),
    exit_code: block.exit_code,
    stdout,
    stderr,
    duration_ms: Math.round(block.duration_ms * 10) / 10,
    success: block.run === "passed",
    index: fence.index,
    run: block.run,
    reason: block.reason,
    error: block.error,
    truncated: block.truncated || stdout !== block.stdout || stderr !== block.stderr,
    sha256: sha256(fence.code),
  };
}

/** The beginning of an output, never half a surrogate pair. */
function clipped(text: string): string {
  return text.length <= KEPT_OUTPUT ? text : text.slice(0, KEPT_OUTPUT).toWellFormed();
}
