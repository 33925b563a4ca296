import { z } from "zod";
import { defineCapability } from "../capability.ts";
import { ingestedSchema } from "./ingested.ts";
import { fetchPolicy, localHints } from "./policies.ts";

export const ingestDocument = defineCapability({
  name: "ingest_document",
  owner: "research",
  surface: "internal",
  title: "Ingest one file",
  summary:
    "Turns one file into a source with spans and provenance. What cannot be had is a failure of the job.",
  version: 1,
  input: z.object({
    /** The path as the guideline gives it; its copy lies under `.nova/uploads/`. */
    path: z.string(),
    /** Of a copy that has been replaced: which one is meant. */
    revision: z.string().optional(),
  }),
  output: ingestedSchema,
  reads: [".nova/uploads/*"],
  writes: [".nova/sources/*"],
  policy: fetchPolicy,
  hints: localHints,
});
