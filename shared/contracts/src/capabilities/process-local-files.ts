import { z } from "zod";
import { artifact, gatheredArtifact } from "../artifact-name.ts";
import { defineCapability } from "../capability.ts";
import { gatherOutputSchema } from "./gather-output.ts";
import { localHints, parentPolicy } from "./policies.ts";

export const processLocalFiles = defineCapability({
  name: "process_local_files",
  owner: "research",
  surface: "public",
  title: "Read the guideline's local files",
  summary:
    "Turns the local files and folders of the guideline (Markdown, text, code, notebooks with their outputs, PDF, DOCX, HTML, git repositories) into sources with spans. One job per source; failures are listed, never used as evidence.",
  version: 1,
  input: z.object({}),
  output: gatherOutputSchema,
  reads: [artifact.references, artifact.uploads],
  writes: [gatheredArtifact("process_local_files"), ".nova/local_files_from_research/*"],
  policy: parentPolicy,
  hints: localHints,
});
