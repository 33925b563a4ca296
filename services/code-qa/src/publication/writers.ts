import type { CitationReport } from "@proofroom/contracts";
import type { StepArtifacts } from "@proofroom/runtime";
import { modelsThatWrote } from "@proofroom/runtime/records";

/**
 * Who wrote the text, for the page to say. Where no model did, sentences that no source holds word for word were written by
 * somebody.
 */
export async function writersOf(
  artifacts: StepArtifacts,
  article: string,
  citations: CitationReport | null,
): Promise<string[]> {
  const models = await modelsThatWrote(artifacts);
  if (models.length > 0) {
    const edited = (await artifacts.hasPersons(article)) ? "; edited by hand since" : "";
    return [`${models.join(", ")}: a language model, from the sources${edited}`];
  }
  const words = "extractive: sentences taken from the sources, no model wrote this";
  const foreign =
    citations === null ||
    citations.uncited.length > 0 ||
    citations.citations.some(({ evidence }) => evidence.every(({ score }) => score < 1));
  return foreign ? [`${words}; edited by hand since`] : [words];
}
