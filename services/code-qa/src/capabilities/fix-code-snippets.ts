import {
  artifact,
  type fixCodeSnippets,
  type InputOf,
  type OutputOf,
  ProofroomError,
} from "@proofroom/contracts";
import { extractFences } from "@proofroom/markdown";
import type { Handler } from "@proofroom/runtime";
import { sha256 } from "../check.ts";
import type { CodeTools } from "../code-tools.ts";
import type { BrokenBlock, ProposeRepair } from "../repair/propose-with-model.ts";
import { repairArticle } from "../repair/repair-article.ts";

type Output = OutputOf<typeof fixCodeSnippets>;

/**
 * Repairs the article's blocks and writes the article, its manifest and its results back if a repair held. With
 * `broken_code` it repairs that piece alone and writes nothing.
 */
export function createFixCodeSnippets(
  tools: CodeTools,
  proposer: ProposeRepair,
): Handler<typeof fixCodeSnippets> {
  return async (input, context) => {
    const { artifacts, signal } = context;
    const options = { tools, signal, propose: (block: BrokenBlock) => proposer(block, context) };
    if (input.broken_code !== undefined) return await fixPiece(input.broken_code, input, options);
    const article = await artifacts.readText(artifact.article);
    const { markdown, check, repaired, still_failing } = await repairArticle(article, options);
    if (repaired.length > 0) {
      await artifacts.writeText(artifact.article, markdown);
      await artifacts.writeJson(artifact.manifest, check.manifest);
      await artifacts.writeJson(artifact.results, check.results);
    }
    return {
      repaired,
      still_failing,
      fixed_code: null,
      article_sha256: sha256(markdown),
      artifact: artifact.article,
    };
  };
}

const PIECE = "broken_code";

async function fixPiece(
  code: string,
  input: InputOf<typeof fixCodeSnippets>,
  options: Parameters<typeof repairArticle>[1],
): Promise<Output> {
  const { markdown, check, repaired, still_failing } = await repairArticle(
    articleOf(code, input.language ?? "python"),
    {
      ...options,
      propose: (block) =>
        options.propose?.({ ...block, error: `${block.error}\n${input.error_message ?? ""}` }) ??
        Promise.resolve(null),
    },
  );
  const failing = still_failing.filter((failure) => failure.snippet_id === check.results[0]?.snippet_id);
  return {
    repaired: repaired.slice(0, 1).map(({ repair }) => ({ snippet_id: PIECE, repair })),
    still_failing: failing.map(({ reason }) => ({ snippet_id: PIECE, reason })),
    fixed_code: failing.length === 0 ? (extractFences(markdown)[0]?.code ?? null) : null,
    article_sha256: null,
    artifact: "",
  };
}

/** An article of one block, whose fence is longer than any in the code. */
function articleOf(code: string, language: string): string {
  if (!/^[A-Za-z][\w+#.-]*$/.test(language)) {
    throw new ProofroomError({
      code: "invalid_input",
      message: "That is not the name of a language.",
      remedy: "Name one as an info string would: python, javascript, json.",
    });
  }
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}\n`;
}
