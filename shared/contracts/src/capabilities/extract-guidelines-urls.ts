import { z } from "zod";
import { artifact } from "../artifact-name.ts";
import { defineCapability } from "../capability.ts";
import { guidelineReferencesSchema } from "../formats/guideline.ts";
import { localHints, localPolicy } from "./policies.ts";

export const extractGuidelinesUrls = defineCapability({
  name: "extract_guidelines_urls",
  owner: "research",
  surface: "public",
  title: "Extract the guideline's sources",
  summary:
    "Reads article_guideline.md and lists its sources by kind: GitHub and other git repositories, YouTube videos, web pages, local files. References that cannot be used are listed with the reason.",
  version: 1,
  input: z.object({}),
  output: z.object({
    github_urls: z.int(),
    git_urls: z.int(),
    youtube_videos_urls: z.int(),
    other_urls: z.int(),
    local_file_paths: z.int(),
    rejected: guidelineReferencesSchema.shape.rejected.unwrap(),
    artifact: z.string(),
  }),
  reads: [artifact.guideline],
  writes: [artifact.references],
  policy: localPolicy,
  hints: localHints,
});
