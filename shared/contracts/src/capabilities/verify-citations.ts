import { z } from "zod";
import { artifact } from "../artifact-name.ts";
import { defineCapability } from "../capability.ts";
import { articleRoundSchema } from "./article-round.ts";
import { localHints, localPolicy } from "./policies.ts";

export const verifyCitations = defineCapability({
  name: "verify_citations",
  owner: "critic",
  surface: "public",
  title: "Verify the citations",
  summary:
    "Looks every cited sentence of article.md up in the stored spans of the sources it cites: quotes and numbers must occur there, the rest must be supported. Stores verdict, quote, offsets and hash for each.",
  version: 1,
  input: z.object({ round: articleRoundSchema }),
  output: z.object({
    sentences: z.int(),
    cited: z.int(),
    supported: z.int(),
    uncertain: z.int(),
    unsupported: z.int(),
    unresolved: z.int(),
    uncited: z.int(),
    article_sha256: z.string(),
    artifact: z.string(),
  }),
  reads: [artifact.article, artifact.sources],
  writes: [artifact.citations],
  policy: localPolicy,
  hints: localHints,
});
