import {
  artifact,
  type Outline,
  type SourceIndex,
  sourceIndexSchema,
  sourceSchema,
} from "@proofroom/contracts";
import { loadCorpus } from "@proofroom/evidence";
import type { StepContext } from "@proofroom/runtime";
import { createEvidenceBase, type EvidenceBase } from "./extractive/evidence-base.ts";

/**
 * Reads and indexes the evidence of a run. Jobs that are to agree must ask with the same focus.
 * @throws ProofroomError not_found where nothing has been gathered yet
 */
export async function evidenceOfRun(
  { artifacts, signal }: StepContext,
  focus: string,
): Promise<{ index: SourceIndex; base: EvidenceBase }> {
  const index = await artifacts.readJson(artifact.sources, sourceIndexSchema);
  const corpus = await loadCorpus(index, (name) => artifacts.readJson(name, sourceSchema), { signal });
  return { index, base: await createEvidenceBase(corpus, focus, signal) };
}

/** All that an outline asks about. */
export function focusOf({ title, sections }: Outline): string {
  return [title, ...sections.flatMap((section) => [section.title, ...section.key_points])].join(" ");
}
