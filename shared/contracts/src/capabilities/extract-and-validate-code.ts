import { z } from "zod";
import { artifact } from "../artifact-name.ts";
import { defineCapability } from "../capability.ts";
import { articleRoundSchema } from "./article-round.ts";
import { localHints, localPolicy } from "./policies.ts";

export const extractAndValidateCode = defineCapability({
  name: "extract_and_validate_code",
  owner: "code-qa",
  surface: "public",
  title: "Extract and check the code",
  summary:
    "Lists every code block of article.md by the Markdown syntax tree and checks its syntax with a real parser where there is one: valid, invalid or unchecked.",
  version: 1,
  input: z.object({ round: articleRoundSchema }),
  output: z.object({
    total_snippets: z.int(),
    valid_syntax_count: z.int(),
    invalid_syntax_count: z.int(),
    unchecked_count: z.int(),
    article_sha256: z.string(),
    artifact: z.string(),
  }),
  reads: [artifact.article],
  writes: [artifact.manifest, ".nova/sandbox/*"],
  policy: localPolicy,
  hints: localHints,
});
