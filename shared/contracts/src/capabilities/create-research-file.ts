import { z } from "zod";
import { artifact } from "../artifact-name.ts";
import { defineCapability } from "../capability.ts";
import { localHints, localPolicy } from "./policies.ts";

export const createResearchFile = defineCapability({
  name: "create_research_file",
  owner: "research",
  surface: "public",
  title: "Write research.md",
  summary:
    "Gives the gathered sources their ids (S1, S2, …) and writes research.md: every source with its provenance and text, and the list of failures. Search results that were considered and not kept are left out. Without any source it is an error.",
  version: 1,
  input: z.object({}),
  output: z.object({ sources: z.int(), failures: z.int(), words: z.int(), artifact: z.string() }),
  reads: [artifact.references, ".nova/gathered/*", artifact.selection, artifact.resultsSelected],
  writes: [artifact.research, artifact.sources],
  policy: localPolicy,
  hints: localHints,
});
