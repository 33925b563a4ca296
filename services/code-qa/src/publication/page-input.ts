import type { CitationReport, SnippetManifest, SnippetResult, SourceIndex } from "@proofroom/contracts";

/** All that a published page shows. */
export interface PageInput {
  /** article.md as it stands. */
  article: string;
  status: "approved" | "draft";
  /** Why it is a draft, or what else a reader should know. */
  reasons: string[];
  citations: CitationReport | null;
  manifest: SnippetManifest | null;
  results: SnippetResult[];
  sources: SourceIndex | null;
  colophon: {
    run_id: string;
    /** ISO 8601 with time zone. */
    created_at: string;
    /** Who wrote the text: models by name, or the extractive writer. */
    written_by: string[];
    article_sha256: string;
  };
}
