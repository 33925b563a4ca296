import {
  artifact,
  type GuidelineReferences,
  guidelineReferencesSchema,
  ProofroomError,
} from "@proofroom/contracts";
import type { StepContext } from "@proofroom/runtime";

/**
 * The sources that were found in the guideline.
 * @throws ProofroomError not_found where they have not been extracted yet
 */
export async function readReferences(context: StepContext): Promise<GuidelineReferences> {
  const references = await context.artifacts.tryReadJson(artifact.references, guidelineReferencesSchema);
  if (references !== null) return references;
  throw new ProofroomError({
    code: "not_found",
    message: "The guideline's sources have not been extracted yet.",
    remedy: "Run extract_guidelines_urls first.",
  });
}
