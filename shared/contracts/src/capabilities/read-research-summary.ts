import { z } from "zod";
import { artifact } from "../artifact-name.ts";
import { defineCapability } from "../capability.ts";
import { localPolicy } from "./policies.ts";

export const readResearchSummary = defineCapability({
  name: "read_research_summary",
  owner: "writer",
  surface: "public",
  title: "Summarise the research",
  summary:
    "Says what research.md holds: the sources with ids, kinds and sizes, the failures, and the guideline's own outline.",
  version: 1,
  input: z.object({}),
  output: z.object({
    title: z.string(),
    sections: z.array(z.string()),
    sources: z.array(
      z.object({ id: z.string(), kind: z.string(), title: z.string(), ref: z.string(), words: z.int() }),
    ),
    failures: z.int(),
    words: z.int(),
  }),
  reads: [artifact.guideline, artifact.sources],
  writes: [],
  policy: localPolicy,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
});
