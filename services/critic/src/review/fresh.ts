import { sha256Of } from "@proofroom/artifacts";
import {
  type CitationReport,
  ProofroomError,
  type SnippetManifest,
  type SnippetResult,
} from "@proofroom/contracts";

interface Reports {
  article: string;
  citations: CitationReport | null;
  manifest: SnippetManifest | null;
  results: readonly SnippetResult[] | null;
}

/**
 * Refuses reports that speak of another version of the article. Results without a manifest, or beside a manifest
 * without blocks, measure nothing and are set aside.
 * @throws ProofroomError invalid_input, naming the step to run again
 */
export function assertFresh({ article, citations, manifest, results }: Reports): {
  citations: CitationReport;
  results: readonly SnippetResult[] | null;
} {
  const hash = sha256Of(article);
  if (citations === null)
    throw again("The citations of the article have not been verified.", "verify_citations");
  if (citations.article_sha256 !== hash) {
    throw again("The citations were verified on another version of the article.", "verify_citations");
  }
  if (manifest === null) return { citations, results: null };
  if (manifest.article_sha256 !== hash) {
    throw again("The code was extracted from another version of the article.", "extract_and_validate_code");
  }
  if (results === null || manifest.snippets.length === 0) return { citations, results: null };
  const current = new Map(manifest.snippets.map(({ index, sha256 }) => [index, sha256]));
  if (results.some(({ index, sha256 }) => current.get(index) !== sha256)) {
    throw again("The results are of code that the article does not have.", "execute_sandbox_tests");
  }
  return { citations, results };
}

function again(message: string, step: string): ProofroomError {
  return new ProofroomError({ code: "invalid_input", message, remedy: `Run ${step} again.` });
}
