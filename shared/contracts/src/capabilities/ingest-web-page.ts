import { z } from "zod";
import { defineCapability } from "../capability.ts";
import { ingestedSchema } from "./ingested.ts";
import { fetchPolicy, outsideHints } from "./policies.ts";

export const ingestWebPage = defineCapability({
  name: "ingest_web_page",
  owner: "research",
  surface: "internal",
  title: "Ingest one web page",
  summary:
    "Turns one web page into a source with spans and provenance. What cannot be had is a failure of the job.",
  version: 1,
  input: z.object({
    url: z.string(),
    clean: z.boolean().optional(),
    /** The artifact of the map that has fetched the page already. */
    site: z.string().optional(),
  }),
  output: ingestedSchema,
  reads: [".nova/sites/*"],
  writes: [".nova/sources/*"],
  policy: fetchPolicy,
  hints: outsideHints,
});
