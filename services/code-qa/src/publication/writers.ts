import type { CitationReport } from "@proofroom/contracts";
import type { StepArtifacts } from "@proofroom/runtime";
import { modelsThatWrote } from "@proofroom/runtime/records";

const since = "; edited by a person since";

/**
 * Who wrote the text, for the page to say. Where no model did, sentences that no source holds word for word were written by
 * somebody.
 * @param edited whether a person has written in the article
 */
export async function writersOf(
  artifacts: StepArtifacts,
  edited: boolean,
  citations: CitationReport | null,
): Promise<string[]> {
  const models = await modelsThatWrote(artifacts);
  if (models.length > 0) {
    return [`${models.join(", ")}: a language model, from the sources${edited ? since : ""}`];
  }
  const foreign =
    citations === null ||
    citations.uncited.length > 0 ||
    citations.citations.some(({ evidence }) => evidence.every(({ score }) => score < 1));
  // Of what a person has put in nobody knows how it was written.
  if (edited || foreign) return [`extractive: sentences taken from the sources${since}`];
  return ["extractive: sentences taken from the sources, no model wrote this"];
}
