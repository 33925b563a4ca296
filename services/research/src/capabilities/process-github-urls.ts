import { ingestRepository, processGithubUrls } from "@proofroom/contracts";
import type { Handler } from "@proofroom/runtime";
import { gather } from "./gather.ts";
import { readReferences } from "./guideline-references.ts";
import { fileNameOf } from "./unique-names.ts";

/** Digests the guideline's git repositories, on GitHub and elsewhere. */
export const handleProcessGithubUrls: Handler<typeof processGithubUrls> = async (_input, context) => {
  const { github_urls, git_urls } = await readReferences(context);
  return gather(context, {
    name: processGithubUrls.name,
    requests: [...github_urls, ...git_urls].map((ref) => ({
      ref,
      kind: "repository",
      job: { capability: ingestRepository, input: { ref, origin: "url" } },
    })),
    folder: ".nova/urls_from_guidelines_code/",
    copyName: ({ ref }) => repositoryName(ref),
  });
};

/** `owner_repo`: the first two parts of the path. */
function repositoryName(ref: string): string {
  if (!URL.canParse(ref)) return fileNameOf(ref);
  const { pathname, host } = new URL(ref);
  const parts = pathname.split("/").filter((part) => part !== "");
  const name = parts
    .slice(0, 2)
    .join("_")
    .replace(/\.git$/i, "");
  return fileNameOf(name === "" ? host : name);
}
