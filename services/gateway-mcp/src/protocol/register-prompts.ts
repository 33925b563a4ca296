import { readFileSync } from "node:fs";
import { completable, type GetPromptResult, type McpServer } from "@modelcontextprotocol/server";
import { ProofroomError, runIdSchema } from "@proofroom/contracts";
import { z } from "zod";
import type { GatewayDeps } from "../gateway-deps.ts";
import { runIdArgument } from "../tools/run-id-argument.ts";
import { completeRunId } from "./complete-run-id.ts";
import { guarded } from "./guarded.ts";

/** The instructions of each prompt, with `{{run_id}}` where the run is named. */
const prompts = [
  {
    name: "full_research_instructions",
    title: "Gather the research",
    description: "Step by step from a guideline to research.md, with the tools to call and their arguments.",
    file: "full-research-instructions.md",
  },
  {
    name: "full_writer_instructions",
    title: "Write and check the article",
    description:
      "Step by step from research.md to an evaluated article.md: outline, sections, code, citations, critic.",
    file: "full-writer-instructions.md",
  },
  {
    name: "full_publishing_instructions",
    title: "Publish the article",
    description: "Step by step from an evaluated article.md to article.html.",
    file: "full-publishing-instructions.md",
  },
] as const;

export interface PromptText {
  name: string;
  title: string;
  description: string;
  text: string;
}

/** Reads the texts of the prompts, which lie in a folder of their own. */
export function loadPrompts(): PromptText[] {
  return prompts.map(({ file, ...prompt }) => ({
    ...prompt,
    text: readFileSync(new URL(`../prompts/${file}`, import.meta.url), "utf8"),
  }));
}

interface Subject {
  run_id?: string | undefined;
  research_directory?: string | undefined;
}

/**
 * The instructions with what they are about in all their calls.
 * @throws ProofroomError invalid_input unless it is either a run or a folder
 */
function textAbout(text: string, { run_id, research_directory: folder }: Subject): string {
  if (run_id !== undefined && folder === undefined) return text.replaceAll("{{run_id}}", run_id);
  if (run_id !== undefined || folder === undefined) {
    throw new ProofroomError({
      code: "invalid_input",
      message: "Either run_id or research_directory is needed.",
    });
  }
  const quoted = JSON.stringify(folder);
  return text
    .replaceAll('"run_id": "{{run_id}}"', () => `"research_directory": ${quoted}`)
    .replaceAll("run `{{run_id}}`", () => `run in the folder \`${quoted}\``);
}

/** Offers the prompts; each is about one run, or, where folders stand for runs, about one folder. */
export function registerPrompts(
  server: McpServer,
  texts: readonly PromptText[],
  open: () => Promise<GatewayDeps>,
  takesFolders: boolean,
): void {
  // It is marked as completable, for this server alone.
  const own = runIdSchema.describe(runIdArgument.description ?? "");
  const runId = completable(own, completeRunId(open));
  const ofRun = z.object({ run_id: runId });
  const ofRunOrFolder = z.object({
    run_id: runId.optional(),
    research_directory: z.string().min(1).optional().describe("In place of run_id: a local folder."),
  });
  for (const { name, title, description, text } of texts) {
    const argsSchema: z.ZodType<Subject> = takesFolders ? ofRunOrFolder : ofRun;
    const instruct = async (subject: Subject): Promise<GetPromptResult> => ({
      messages: [{ role: "user", content: { type: "text", text: textAbout(text, subject) } }],
    });
    server.registerPrompt(name, { title, description, argsSchema }, (subject) => guarded(instruct(subject)));
  }
}
