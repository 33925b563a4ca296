import { ingestRepository, processGithubUrls } from "@proofroom/contracts";
import type { Handler } from "@proofroom/runtime";
import { copyNameOf } from "../ingest/repository/copy-name.ts";
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
    copyName: (source) => fileNameOf(copyNameOf(source)),
  });
};
