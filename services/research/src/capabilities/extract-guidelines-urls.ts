import { artifact, type extractGuidelinesUrls } from "@proofroom/contracts";
import { parseGuidelineReferences } from "@proofroom/evidence";
import type { Handler } from "@proofroom/runtime";

/** Lists the guideline's sources by kind. A guideline without any gives empty lists. */
export const handleExtractGuidelinesUrls: Handler<typeof extractGuidelinesUrls> = async (_input, context) => {
  const guideline = await context.artifacts.readText(artifact.guideline);
  const references = parseGuidelineReferences(guideline);
  await context.artifacts.writeJson(artifact.references, references);
  return {
    github_urls: references.github_urls.length,
    git_urls: references.git_urls.length,
    youtube_videos_urls: references.youtube_videos_urls.length,
    other_urls: references.other_urls.length,
    local_file_paths: references.local_file_paths.length,
    rejected: references.rejected,
    artifact: artifact.references,
  };
};
