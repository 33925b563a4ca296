import { createHash } from "node:crypto";
import {
  artifact,
  type CapabilityOf,
  citationReportSchema,
  critiqueSchema,
  ProofroomError,
  runManifestSchema,
  snippetManifestSchema,
  snippetResultsSchema,
  sourceIndexSchema,
} from "@proofroom/contracts";
import { splitSections } from "@proofroom/markdown";
import type { Handler } from "@proofroom/runtime";
import { editedByPersons, withNotesOfEdited } from "@proofroom/runtime/records";
import { judgePublication } from "./publication-gate.ts";
import { writersOf } from "./writers.ts";

const runManifest = ".nova/run.json";

/** A title given by the caller takes the place of the article's own. */
function withTitle(article: string, title: string | undefined): string {
  if (title === undefined) return article;
  const heading = `# ${title.replace(/\s+/g, " ").trim()}\n`;
  const sections = splitSections(article);
  const own = sections.find(({ depth }) => depth === 1);
  if (own === undefined) return `${heading}\n${article}`;
  const body = own.markdown.slice(own.markdown.indexOf("\n") + 1);
  return sections.map((section) => (section === own ? heading + body : section.markdown)).join("");
}

/** Publishes article.html: what the checks have passed, or a draft that says why where the caller allows one. */
export function createExportPublicationBundle(): Handler<CapabilityOf<"export_publication_bundle">> {
  return async (input, { artifacts, runId }) => {
    const article = await artifacts.readText(artifact.article);
    const articleSha256 = createHash("sha256").update(article).digest("hex");
    const critique = await artifacts.tryReadJson(artifact.critique, critiqueSchema);
    const citations = await artifacts.tryReadJson(artifact.citations, citationReportSchema);
    const sources = await artifacts.tryReadJson(artifact.sources, sourceIndexSchema);
    const verdict = judgePublication({
      articleSha256,
      critique,
      citations,
      failures: sources?.failures.length ?? 0,
    });
    if (verdict.status === "draft" && !input.allow_draft) {
      throw new ProofroomError({
        code: "conflict",
        message: `The article has not passed its checks: ${verdict.reasons[0]}`,
        remedy:
          "Revise it and evaluate it again, or publish a labelled draft: with allow_draft, or without --no-draft.",
      });
    }
    const { renderPage } = await import("./render-page.ts");
    const manifest = await artifacts.tryReadJson(runManifest, runManifestSchema);
    const checked = await artifacts.tryReadJson(artifact.manifest, snippetManifestSchema);
    // What is known of the code of another text says nothing about this one.
    const snippets = checked?.article_sha256 === articleSha256 ? checked : null;
    const results = (await artifacts.tryReadJson(artifact.results, snippetResultsSchema)) ?? [];
    const titled = withTitle(article, input.article_title);
    const edited = await editedByPersons(artifacts);
    const page = await renderPage({
      // A text that was edited after its last refinement still has the notes of one that was not.
      article: edited ? withNotesOfEdited(titled) : titled,
      status: verdict.status,
      reasons: verdict.reasons,
      citations: citations?.article_sha256 === articleSha256 ? citations : null,
      manifest: snippets,
      results: results.filter(({ index, sha256 }) =>
        snippets?.snippets.some((snippet) => snippet.index === index && snippet.sha256 === sha256),
      ),
      sources,
      colophon: {
        run_id: runId,
        created_at: manifest?.created_at ?? new Date(0).toISOString(),
        written_by: await writersOf(
          artifacts,
          edited,
          citations?.article_sha256 === articleSha256 ? citations : null,
        ),
        article_sha256: articleSha256,
      },
    });
    const ref = await artifacts.writeText(artifact.page, page);
    return { ...verdict, bytes: ref.size, artifact: artifact.page };
  };
}
