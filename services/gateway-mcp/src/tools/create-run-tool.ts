import { ProofroomError, runOptionsSchema } from "@proofroom/contracts";
import { createRun, guidelineTextSchema, runTitle, titleOfGuideline } from "@proofroom/runtime/records";
import { z } from "zod";
import { artifactUri } from "../artifacts/artifact-uri.ts";
import { jsonLine } from "../json-line.ts";
import { guidelineOfTopic } from "./new-guideline.ts";
import { givenSources, sourceFilesShape } from "./source-files.ts";
import { defineTool } from "./tool.ts";

/** The tool that makes runs, of a guideline or of a topic. */
export const createRunTool = defineTool({
  name: "create_run",
  toolset: "runs",
  title: "Create a run",
  description:
    "Creates a run, one article project, and answers its run_id; nothing is started: call the other tools on it step by step, or resume_run to have the orchestrator do all of it. Give either guideline (Markdown: a title, an outline if there is one, and the sources as links) or topic with sources. source_files are the local files that the guideline links to, by their path, such as notes.md; where it links to a folder, such as notes/, name that in source_folders, and its commit if it is a git repository. URLs are fetched later, by the research tools.",
  input: z
    .object({
      guideline: guidelineTextSchema.optional().describe("Markdown, whole."),
      topic: z.string().max(300).optional().describe("In place of guideline, with sources."),
      source_urls: z
        .array(z.url({ protocol: /^https?$/ }).max(2_000))
        .max(100)
        .optional()
        .describe("Of a topic: its web pages, repositories and videos."),
      ...sourceFilesShape,
      ...runOptionsSchema.shape,
    })
    .strict(),
  output: z.object({ run_id: z.string(), title: z.string(), guideline_uri: z.string() }),
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  async run(args, { deps }) {
    const { guideline, topic, source_urls: urls = [], source_files, source_folders, ...options } = args;
    const { files, entries } = givenSources({ source_files, source_folders });
    if (guideline !== undefined && (topic !== undefined || urls.length > 0)) {
      throw new ProofroomError({
        code: "invalid_input",
        message: "A guideline names its topic and its URLs itself.",
        remedy: "Give guideline with source_files, or topic with source_urls and source_files.",
      });
    }
    const text =
      guideline ??
      guidelineOfTopic(
        topic ?? "",
        urls,
        entries.map(({ path }) => path),
      );
    const title = guideline === undefined ? runTitle(topic ?? "") : titleOfGuideline(guideline);
    const runId = await createRun(deps.store, {
      tenant: deps.tenant,
      title,
      plan: "write",
      options,
      guideline: text,
      author: "person",
      async fill({ base }) {
        for (const { path, bytes } of files) await deps.store.create(`${base}.nova/uploads/${path}`, bytes);
        return entries.length === 0 ? undefined : { v: 1, entries };
      },
    });
    deps.events.publish({ run_id: runId, type: "run.created" }, deps.tenant);
    const uri = artifactUri(runId, "article_guideline.md");
    return {
      text: `Created: ${jsonLine(title)}\nrun_id: ${runId}\nguideline: ${uri}`,
      structured: { run_id: runId, title, guideline_uri: uri },
    };
  },
});
