import type { RunOptions, Snippet, SnippetManifest, SnippetResult } from "@proofroom/contracts";
import { extractFences } from "@proofroom/markdown";

export interface BlockState {
  /** The snippet's id; null where code was not extracted. */
  id: string | null;
  line: number;
  state: "passed" | "failed" | "skipped" | "not_run" | "invalid_syntax";
  /** What it is worth, 0 to 1; null where there is nothing to run. */
  credit: number | null;
  /** What is wrong with it, in words. */
  detail: string;
  /** It could not be run for want of a sandbox, or was not run at all. */
  unmeasured: boolean;
}

/** Blocks that nobody would run: they neither earn nor cost. */
const nothingToRun: ReadonlySet<string> = new Set([
  "not_runnable",
  "expected_output",
  "empty",
  "marked_no_run",
]);

/** The blocks of an article and what became of each. Without a manifest all count as not run. */
export function measureCode(
  article: string,
  manifest: SnippetManifest | null,
  results: readonly SnippetResult[] | null,
): BlockState[] {
  if (manifest === null) {
    return extractFences(article).map(({ start_line }) => notRun(null, start_line, "it was not extracted"));
  }
  const byIndex = new Map(results?.map((result) => [result.index, result]));
  return manifest.snippets.map((snippet) => stateOf(snippet, byIndex.get(snippet.index)));
}

function stateOf(snippet: Snippet, result: SnippetResult | undefined): BlockState {
  const base = { id: snippet.snippet_id, line: snippet.start_line, unmeasured: false };
  if (snippet.syntax === "invalid") {
    const at = snippet.error_line === null ? "" : ` in its line ${snippet.error_line}`;
    return { ...base, state: "invalid_syntax", credit: 0, detail: `has a syntax error${at}` };
  }
  if (result === undefined) return notRun(snippet.snippet_id, snippet.start_line, "it has no result");
  switch (result.run) {
    case "passed":
      return { ...base, state: "passed", credit: 1, detail: "" };
    case "failed":
    case "timeout": {
      const reason = result.run === "timeout" ? "did not end in time" : "failed when it was run";
      const why = result.reason === null ? "" : ` (${result.reason.replaceAll("_", " ")})`;
      return { ...base, state: "failed", credit: 0, detail: reason + why };
    }
    case "skipped":
    case "not_run":
      return withoutRun(snippet, result);
  }
}

function withoutRun(snippet: Snippet, { run, reason }: SnippetResult): BlockState {
  const base = { id: snippet.snippet_id, line: snippet.start_line };
  const detail = (reason ?? "not run").replaceAll("_", " ");
  if (reason === "syntax_error") {
    return { ...base, state: "invalid_syntax", credit: 0, detail: "has a syntax error", unmeasured: false };
  }
  if (reason === "unclosed_fence") {
    return { ...base, state: "failed", credit: 0, detail: "is not closed", unmeasured: false };
  }
  if (reason !== null && nothingToRun.has(reason)) {
    return { ...base, state: "skipped", credit: null, detail, unmeasured: false };
  }
  const state = run === "skipped" ? "skipped" : "not_run";
  return {
    ...base,
    state,
    credit: 0.5,
    detail,
    unmeasured: state === "not_run" || reason === "sandbox_unavailable",
  };
}

function notRun(id: string | null, line: number, detail: string): BlockState {
  return { id, line, state: "not_run", credit: 0.5, detail, unmeasured: true };
}

/**
 * Points for code, of 30: thirty times the mean credit of the blocks that can be run (ran: 1; not run, or skipped
 * for something it lacks: 0.5; failed or invalid: 0), and 15 at the most while one fails. An article without such
 * blocks has all points, or half of them where the outline asks for code.
 */
export function codePoints(blocks: readonly BlockState[], outlineWantsCode: boolean): number {
  const credits = blocks.flatMap(({ credit }) => (credit === null ? [] : [credit]));
  if (blocks.length === 0 && outlineWantsCode) return 15;
  if (credits.length === 0) return 30;
  const mean = credits.reduce((sum, credit) => sum + credit, 0) / credits.length;
  return Math.min(30 * mean, credits.includes(0) ? 15 : 30);
}

export function mustRun(block: BlockState, options: RunOptions): boolean {
  return options.require_code_run && block.unmeasured;
}
