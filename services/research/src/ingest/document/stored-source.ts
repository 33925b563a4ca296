import type { ingestDocument, OutputOf, Source } from "@proofroom/contracts";
import type { StepContext } from "@proofroom/runtime";

/** Writes a source as the step's artifact and answers what an ingest job answers. */
export async function storeSource(
  { artifacts, stepId }: Pick<StepContext, "artifacts" | "stepId">,
  source: Source,
): Promise<OutputOf<typeof ingestDocument>> {
  const artifact = `.nova/sources/${stepId}.json`;
  await artifacts.writeJson(artifact, source);
  const { ref, kind, title, sha256, provenance } = source;
  const cached = provenance.from_cache === true ? { from_cache: true as const } : {};
  return { ref, kind, title, artifact, sha256, ...cached };
}
