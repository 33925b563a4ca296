import type { Citation, Locator, SnippetResult, SourceKind } from "@proofroom/contracts";

/** Why a block was not run, or how it failed, in words. */
const reasonWords: Record<NonNullable<SnippetResult["reason"]>, string> = {
  not_runnable: "not a language that is run here",
  syntax_error: "it has a syntax error",
  empty: "it is empty",
  expected_output: "it shows expected output",
  marked_no_run: "marked as not to be run",
  unclosed_fence: "its code fence is not closed",
  missing_dependency: "it needs a package that is not installed",
  needs_input: "it waits for input",
  needs_env: "it needs settings or secrets",
  needs_browser: "it needs a browser",
  prerequisite_not_run: "a block it builds on did not run",
  sandbox_unavailable: "no sandbox was available",
  not_requested: "running it was not asked for",
  exception: "it raised an error",
  exit_code: "it ended with an error",
  output_mismatch: "its output differs from what the article shows",
  blocked_network: "it tried to use the network, which the sandbox does not allow",
  blocked_write: "it tried to write where the sandbox does not allow",
  blocked_read: "it tried to read what the sandbox does not allow",
  memory_limit: "it used more memory than allowed",
  output_limit: "it wrote more output than allowed",
  crashed: "it crashed",
  time_limit: "it did not end in time",
};

export type Tone = "good" | "bad" | "warn" | "quiet";

/** What happened to a code block, as short as it can be said truthfully. */
export function runWords(result: SnippetResult): { tone: Tone; words: string } {
  const why = result.reason === null ? "" : reasonWords[result.reason];
  const exit = result.exit_code === null ? "" : `, exit ${result.exit_code}`;
  switch (result.run) {
    case "passed":
      return { tone: "good", words: `ran${exit}` };
    case "failed":
      return { tone: "bad", words: `failed${exit}${why === "" ? "" : `: ${why}`}` };
    case "timeout":
      return { tone: "bad", words: "timed out" };
    case "skipped":
    case "not_run": {
      const missing = result.reason === "missing_dependency" && result.error ? ` (${result.error})` : "";
      return { tone: "quiet", words: `not run${why === "" ? "" : `: ${why}`}${missing}` };
    }
  }
}

export const verdictWords: Record<Citation["verdict"], { tone: Tone; words: string }> = {
  supported: { tone: "good", words: "supported" },
  uncertain: { tone: "warn", words: "uncertain" },
  unsupported: { tone: "bad", words: "not supported" },
  unresolved: { tone: "bad", words: "source not found" },
};

export const sourceKindWords: Record<SourceKind, string> = {
  document: "document",
  folder: "folder",
  repository: "repository",
  web_page: "web page",
  video: "video",
  search_result: "search result",
};

/** Where a quotation stands, as one would tell a person who opens the source: `page 3`, `src/a.py, lines 4–9`. */
export function locatorWords(locator: Locator): string {
  const { file, line_from: from, line_to: to, page, cell, seconds, headings } = locator;
  const parts: string[] = [];
  if (file !== undefined) parts.push(file);
  if (page !== undefined) parts.push(`page ${page}`);
  if (cell !== undefined) parts.push(`cell ${cell}`);
  if (from !== undefined)
    parts.push(to === undefined || to === from ? `line ${from}` : `lines ${from}–${to}`);
  if (seconds !== undefined) parts.push(`at ${clock(seconds)}`);
  if (headings !== undefined && headings.length > 0) parts.push(`“${headings.join(" › ")}”`);
  return parts.join(", ");
}

function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (value: number) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** `1 block`, `3 blocks`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}
