import {
  artifact,
  type executeSandboxTests,
  type OutputOf,
  type Snippet,
  type SnippetResult,
  snippetManifestSchema,
} from "@proofroom/contracts";
import { extractFences } from "@proofroom/markdown";
import type { Handler } from "@proofroom/runtime";
import { checkMarkdown, sha256 } from "../check.ts";
import type { CodeTools } from "../code-tools.ts";
import { isFailing } from "../repair/repair-article.ts";

type Summary = Omit<OutputOf<typeof executeSandboxTests>, "sandbox" | "artifact">;

/** Runs the blocks of the manifest that the article still holds unchanged, and records how each ended. */
export function createExecuteSandboxTests(tools: CodeTools): Handler<typeof executeSandboxTests> {
  return async (_input, { artifacts, signal }) => {
    const article = await artifacts.readText(artifact.article);
    const manifest = await artifacts.readJson(artifact.manifest, snippetManifestSchema);
    const listed = new Map(manifest.snippets.map((snippet) => [snippet.index, snippet.sha256]));
    // The index alone is not enough: a block may have been edited or moved since.
    const current = new Set(
      extractFences(article)
        .filter((fence) => listed.get(fence.index) === sha256(fence.code))
        .map((fence) => fence.index),
    );
    const { results } = await checkMarkdown(article, { run: true, only: current, tools, signal });
    const recorded = manifest.snippets.map((snippet) => {
      const result = current.has(snippet.index) ? results[snippet.index - 1] : undefined;
      return result ?? staleResult(snippet);
    });
    await artifacts.writeJson(artifact.results, recorded);
    return { ...summarise(recorded), sandbox: tools.driver.name, artifact: artifact.results };
  };
}

function staleResult(snippet: Snippet): SnippetResult {
  return {
    snippet_id: snippet.snippet_id,
    filename: snippet.target_filename,
    exit_code: null,
    stdout: "",
    stderr: "",
    duration_ms: 0,
    success: false,
    index: snippet.index,
    run: "not_run",
    reason: "not_requested",
    error: "The article no longer holds this block: extract the code again.",
    truncated: false,
    sha256: snippet.sha256,
  };
}

/** A timeout is a failure. `error` where nothing that could be judged passed, or nothing could be run at all. */
function summarise(results: readonly SnippetResult[]): Summary {
  const count = (matches: (result: SnippetResult) => boolean) => results.filter(matches).length;
  const passed = count((result) => result.run === "passed");
  const failed = count((result) => result.run === "failed" || result.run === "timeout");
  const broken = count(isFailing);
  const unavailable = count((result) => result.reason === "sandbox_unavailable");
  const status =
    broken > 0 && passed === 0 ? "error" : broken > 0 || unavailable > 0 ? "partial_success" : "success";
  return {
    status,
    total: results.length,
    passed,
    failed,
    skipped: count((result) => result.run === "skipped"),
    not_run: count((result) => result.run === "not_run"),
  };
}
