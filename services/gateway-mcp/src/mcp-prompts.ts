import { readFileSync } from "node:fs";
import { completable, type McpServer } from "@modelcontextprotocol/server";
import { runIdSchema } from "@proofroom/contracts";
import { listRuns } from "@proofroom/runtime/records";
import { z } from "zod";
import type { GatewayDeps } from "./gateway-deps.ts";
import { guarded } from "./mcp-errors.ts";

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

/** Reads the texts of the prompts, which lie beside this file. */
export function loadPrompts(): PromptText[] {
  return prompts.map(({ file, ...prompt }) => ({
    ...prompt,
    text: readFileSync(new URL(`prompts/${file}`, import.meta.url), "utf8"),
  }));
}

/** Offers the prompts; each is about one run. */
export function registerPrompts(
  server: McpServer,
  texts: readonly PromptText[],
  open: () => Promise<GatewayDeps>,
): void {
  const newestStarting = async (start: string) => {
    const ids: string[] = [];
    for await (const id of listRuns((await open()).store)) if (id.startsWith(start)) ids.push(id);
    return ids.reverse().slice(0, 100);
  };
  const runId = completable(runIdSchema.describe("The run, from create_run or list_runs."), (start) =>
    guarded(newestStarting(start)),
  );
  for (const { name, title, description, text } of texts) {
    server.registerPrompt(
      name,
      { title, description, argsSchema: z.object({ run_id: runId }) },
      ({ run_id }) => ({
        messages: [{ role: "user", content: { type: "text", text: text.replaceAll("{{run_id}}", run_id) } }],
      }),
    );
  }
}
