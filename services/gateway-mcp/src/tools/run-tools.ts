import { runBudgetSchema, runIdSchema } from "@proofroom/contracts";
import { cancelRun, resumeRun } from "@proofroom/runtime";
import { pageOfRuns } from "@proofroom/runtime/records";
import { z } from "zod";
import { createRunTool } from "./create-run-tool.ts";
import { getRunTool } from "./get-run-tool.ts";
import { runIdArgument } from "./run-id-argument.ts";
import { summaryLines, summaryOf, summarySchema } from "./run-summary.ts";
import { defineTool, type Tool } from "./tool.ts";

const runInput = z.object({ run_id: runIdArgument }).strict();

const list = defineTool({
  name: "list_runs",
  toolset: "runs",
  title: "List the runs",
  description:
    "Lists the runs, newest first, with their states. next_before, where it is given, is the before of the next page.",
  input: z
    .object({
      limit: z.int().min(1).max(50).default(20),
      before: runIdSchema.optional().describe("next_before of the page before."),
    })
    .strict(),
  output: z.object({ runs: z.array(summarySchema), next_before: z.string().optional() }),
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  async run({ limit, before }, { deps, signal }) {
    const { store, tenant } = deps;
    const page = await pageOfRuns(store, { tenant, before, limit, signal });
    const runs = page.runs.map(summaryOf);
    const next = page.next ?? undefined;
    const lines = [...runs.flatMap(summaryLines), ...(next === undefined ? [] : [`next_before: ${next}`])];
    return {
      text: lines.length === 0 ? "There are no runs." : lines.join("\n"),
      structured: { runs, ...(next === undefined ? {} : { next_before: next }) },
    };
  },
});

const resume = defineTool({
  name: "resume_run",
  toolset: "runs",
  title: "Start or resume a run",
  description:
    "Hands a run to the orchestrator, which executes every step that is missing or stale up to article.html, whatever stopped it before: nothing yet started, a failure, a cancel, an edit, a budget that is spent: then give a higher one, which counts all that the run has spent so far. Finished steps are not executed again. Answers at once; get_run tells how far it is.",
  input: runInput.extend(runBudgetSchema.shape),
  output: z.object({ run_id: z.string(), edited: z.array(z.string()) }),
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
  async run({ run_id, ...budget }, { deps }) {
    const { edited } = await resumeRun(deps, run_id, { budget });
    const changed = edited.length === 0 ? [] : [`changed by hand: ${edited.join(", ")}`];
    return {
      text: [`The run is in motion.`, `run_id: ${run_id}`, ...changed, "get_run tells how far it is."].join(
        "\n",
      ),
      structured: { run_id, edited },
    };
  },
});

const cancel = defineTool({
  name: "cancel_run",
  toolset: "runs",
  title: "Cancel a run",
  description:
    "Ends a run as cancelled and aborts what is under way for it. Finished steps and all artifacts stay; resume_run sets it in motion again. A run that has ended is left as it is.",
  input: runInput,
  output: z.object({ run_id: z.string(), cancelled: z.boolean() }),
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  async run({ run_id }, { deps }) {
    const cancelled = await cancelRun(deps, run_id);
    return {
      text: `run_id: ${run_id}\n${cancelled ? "The run is cancelled." : "The run had ended already."}`,
      structured: { run_id, cancelled },
    };
  },
});

/** The tools for runs as a whole. */
export function runTools(): Tool[] {
  return [createRunTool, list, getRunTool(), resume, cancel];
}
