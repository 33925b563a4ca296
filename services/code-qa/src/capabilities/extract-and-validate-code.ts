import { artifact, type extractAndValidateCode } from "@proofroom/contracts";
import type { Handler } from "@proofroom/runtime";
import { checkMarkdown } from "../check.ts";
import type { CodeTools } from "../code-tools.ts";

/** Lists the article's blocks in the manifest and writes each to a file of its own. Nothing is run. */
export function createExtractAndValidateCode(tools: CodeTools): Handler<typeof extractAndValidateCode> {
  return async (_input, { artifacts, signal, progress }) => {
    const article = await artifacts.readText(artifact.article);
    const { manifest } = await checkMarkdown(article, { run: false, tools, signal });
    for (const [at, snippet] of manifest.snippets.entries()) {
      await artifacts.writeText(`.nova/sandbox/${snippet.target_filename}`, `${snippet.code}\n`);
      progress({ done: at + 1, total: manifest.total_snippets });
    }
    await artifacts.writeJson(artifact.manifest, manifest);
    return {
      total_snippets: manifest.total_snippets,
      valid_syntax_count: manifest.valid_syntax_count,
      invalid_syntax_count: manifest.invalid_syntax_count,
      unchecked_count: manifest.unchecked_count,
      article_sha256: manifest.article_sha256,
      artifact: artifact.manifest,
    };
  };
}
