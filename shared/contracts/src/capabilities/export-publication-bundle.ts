import { z } from "zod";
import { artifact } from "../artifact-name.ts";
import { defineCapability } from "../capability.ts";
import { localHints, localPolicy } from "./policies.ts";

export const exportPublicationBundle = defineCapability({
  name: "export_publication_bundle",
  owner: "code-qa",
  surface: "public",
  title: "Publish article.html",
  summary:
    "Renders article.md as one standalone page: sanitised, no request to anywhere, code with its captured output, references with the quoted evidence. An article that was not approved needs allow_draft and is labelled a draft with the reasons.",
  version: 1,
  input: z.object({
    article_title: z.string().max(300).optional().describe("In place of the title in article.md."),
    allow_draft: z
      .boolean()
      .default(false)
      .describe("Publish an article that was not approved, labelled a draft."),
  }),
  output: z.object({
    status: z.enum(["approved", "draft"]),
    reasons: z.array(z.string()),
    bytes: z.int(),
    artifact: z.string(),
  }),
  reads: [
    artifact.article,
    artifact.critique,
    artifact.citations,
    artifact.manifest,
    artifact.results,
    artifact.sources,
  ],
  writes: [artifact.page],
  policy: localPolicy,
  hints: localHints,
});
