import { z } from "zod";
import { artifact } from "../artifact-name.ts";
import { defineCapability } from "../capability.ts";
import { articleRoundSchema } from "./article-round.ts";
import { outsideHints, sandboxPolicy } from "./policies.ts";

export const fixCodeSnippets = defineCapability({
  name: "fix_code_snippets",
  owner: "code-qa",
  surface: "public",
  title: "Repair the code",
  summary:
    "Repairs failing blocks of article.md (install lines, prompts, notebook magics), runs each repair again and writes back only what then passes. Or checks one piece of code given as broken_code.",
  version: 1,
  input: z.object({
    round: articleRoundSchema,
    broken_code: z
      .string()
      .max(100_000)
      .optional()
      .describe("One piece of code to repair alone: article.md then stays as it is."),
    error_message: z.string().max(10_000).optional().describe("What broken_code failed with."),
    language: z.string().max(40).optional().describe("Of broken_code, such as python."),
  }),
  output: z.object({
    repaired: z.array(z.object({ snippet_id: z.string(), repair: z.string() })),
    still_failing: z.array(z.object({ snippet_id: z.string(), reason: z.string() })),
    fixed_code: z.string().nullable(),
    article_sha256: z.string().nullable(),
    artifact: z.string(),
  }),
  reads: [artifact.article, artifact.manifest, artifact.results],
  writes: [artifact.article, artifact.manifest, artifact.results],
  policy: sandboxPolicy,
  hints: outsideHints,
});
