import { artifact, type extractGuidelinesUrls, type GuidelineReferences } from "@proofroom/contracts";
import { isRepositoryOf, parseGuidelineReferences } from "@proofroom/evidence";
import type { Handler } from "@proofroom/runtime";
import { isAllowedHost } from "../ingest/web/public-host.ts";

export interface ExtractGuidelinesUrlsDeps {
  /** Private hosts that may be fetched, as `host:port`. */
  allowHosts: ReadonlySet<string>;
  /** Servers of one's own whose addresses name repositories. */
  git: { hosts: readonly string[] };
}

/** Lists the guideline's sources by kind. A guideline without any gives empty lists. */
export function createExtractGuidelinesUrls({
  allowHosts,
  git,
}: ExtractGuidelinesUrlsDeps): Handler<typeof extractGuidelinesUrls> {
  const gitHosts = new Set(git.hosts);
  return async (_input, context) => {
    const guideline = await context.artifacts.readText(artifact.guideline);
    const references = withAllowed(parseGuidelineReferences(guideline, { gitHosts }), {
      allowHosts,
      gitHosts,
    });
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
}

/** Takes back the rejection of private addresses that this installation may fetch. */
function withAllowed(
  references: GuidelineReferences,
  { allowHosts, gitHosts }: Readonly<Record<"allowHosts" | "gitHosts", ReadonlySet<string>>>,
): GuidelineReferences {
  const isAllowed = ({ ref, reason }: GuidelineReferences["rejected"][number]) => {
    const url = reason === "private_address" ? URL.parse(ref) : null;
    return url !== null && isAllowedHost(url, allowHosts);
  };
  const allowed = references.rejected.filter(isAllowed).map(({ ref }) => new URL(ref));
  const isClone = (url: URL) => /\.git(?:\/|$)/.test(url.pathname) || isRepositoryOf(url, gitHosts);
  const hrefs = (urls: readonly URL[]) => urls.map(({ href }) => href);
  return {
    ...references,
    git_urls: [...references.git_urls, ...hrefs(allowed.filter(isClone))],
    other_urls: [...references.other_urls, ...hrefs(allowed.filter((url) => !isClone(url)))],
    rejected: references.rejected.filter((rejected) => !isAllowed(rejected)),
  };
}
