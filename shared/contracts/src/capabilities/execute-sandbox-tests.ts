import { z } from "zod";
import { artifact } from "../artifact-name.ts";
import { defineCapability } from "../capability.ts";
import { articleRoundSchema } from "./article-round.ts";
import { localHints, sandboxPolicy } from "./policies.ts";

export const executeSandboxTests = defineCapability({
  name: "execute_sandbox_tests",
  owner: "code-qa",
  surface: "public",
  title: "Run the code",
  summary:
    "Runs the blocks of the current manifest (Python, JavaScript, TypeScript) in a sandbox without network, files or environment, and records what each printed. Without a sandbox nothing is run and every block says so.",
  version: 1,
  input: z.object({ round: articleRoundSchema }),
  output: z.object({
    status: z.enum(["success", "partial_success", "error"]),
    total: z.int(),
    passed: z.int(),
    failed: z.int(),
    skipped: z.int(),
    not_run: z.int(),
    sandbox: z.string(),
    artifact: z.string(),
  }),
  reads: [artifact.article, artifact.manifest],
  writes: [artifact.results],
  policy: sandboxPolicy,
  hints: localHints,
});
