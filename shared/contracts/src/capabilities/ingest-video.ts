import { z } from "zod";
import { defineCapability } from "../capability.ts";
import { ingestedSchema } from "./ingested.ts";
import { outsideHints, watchPolicy } from "./policies.ts";

export const ingestVideo = defineCapability({
  name: "ingest_video",
  owner: "research",
  surface: "internal",
  title: "Ingest one video",
  summary:
    "Turns one video into a source with spans and provenance. What cannot be had is a failure of the job.",
  version: 1,
  input: z.object({ url: z.string() }),
  output: ingestedSchema,
  reads: [],
  writes: [".nova/sources/*"],
  policy: watchPolicy,
  hints: outsideHints,
});
