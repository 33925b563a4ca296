import { z } from "zod";
import { defineCapability } from "../capability.ts";
import { ingestedSchema } from "./ingested.ts";
import { fetchPolicy, outsideHints } from "./policies.ts";

export const ingestRepository = defineCapability({
  name: "ingest_repository",
  owner: "research",
  surface: "internal",
  title: "Ingest one git repository or folder",
  summary:
    "Turns one git repository or folder into a source with spans and provenance. What cannot be had is a failure of the job.",
  version: 1,
  input: z.object({
    /** The reference as the guideline gives it: a git URL, or the path of an uploaded folder. */
    ref: z.string(),
    origin: z.enum(["url", "upload"]),
    /** Of a copy that has been replaced: which one is meant. */
    revision: z.string().optional(),
  }),
  output: ingestedSchema,
  reads: [".nova/uploads/*"],
  writes: [".nova/sources/*"],
  policy: fetchPolicy,
  hints: outsideHints,
});
