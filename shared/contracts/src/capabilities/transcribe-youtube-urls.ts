import { z } from "zod";
import { artifact, gatheredArtifact } from "../artifact-name.ts";
import { defineCapability } from "../capability.ts";
import { gatherOutputSchema } from "./gather-output.ts";
import { outsideHints, parentPolicy } from "./policies.ts";

export const transcribeYoutubeUrls = defineCapability({
  name: "transcribe_youtube_urls",
  owner: "research",
  surface: "public",
  title: "Transcribe the guideline's videos",
  summary:
    "Transcribes the guideline's YouTube videos with timestamps through a model that watches them; nothing is downloaded and captions are not scraped.",
  version: 1,
  input: z.object({}),
  output: gatherOutputSchema,
  reads: [artifact.references],
  writes: [gatheredArtifact("transcribe_youtube_urls"), ".nova/urls_from_guidelines_youtube_videos/*"],
  needs: ["GEMINI_API_KEY"],
  policy: parentPolicy,
  hints: outsideHints,
});
