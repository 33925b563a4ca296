import { z } from "zod";
import { artifact, gatheredArtifact } from "../artifact-name.ts";
import { defineCapability } from "../capability.ts";
import { gatherOutputSchema } from "./gather-output.ts";
import { outsideHints, parentPolicy } from "./policies.ts";

export const processGithubUrls = defineCapability({
  name: "process_github_urls",
  owner: "research",
  surface: "public",
  title: "Digest the guideline's repositories",
  summary:
    "Clones the guideline's git repositories at their branch, tag, commit or folder and keeps a digest with file and line spans. The repositories' own configuration is never executed.",
  version: 1,
  input: z.object({}),
  output: gatherOutputSchema,
  reads: [artifact.references],
  writes: [gatheredArtifact("process_github_urls"), ".nova/urls_from_guidelines_code/*"],
  policy: parentPolicy,
  hints: outsideHints,
});
