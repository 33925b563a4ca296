import { openRunArtifacts } from "@proofroom/artifacts";
import {
  findCapability,
  jobId,
  publicErrorSchema,
  runBudgetSchema,
  runIdSchema,
  runStatusSchema,
} from "@proofroom/contracts";
import { cancelRun, resumeRun } from "@proofroom/runtime";
import { describeRun, pageOfRuns, type RunDescription } from "@proofroom/runtime/records";
import { z } from "zod";
import { artifactUri } from "../artifacts/artifact-uri.ts";
import { jsonLine } from "../json-line.ts";
import { createRunTool } from "./create-run-tool.ts";
import { runIdArgument } from "./run-id-argument.ts";
import { defineTool, type Tool } from "./tool.ts";

const runInput = z.object({ run_id: runIdArgument }).strict();

const summarySchema = z.object({
  run_id: z.string(),
  title: z.string(),
  created_at: z.string(),
  status: runStatusSchema,
  waiting_until: z.string().optional(),
  article: z.enum(["approved", "draft"]).optional(),
  reasons: z.array(z.string()),
  failed_step: z.string().optional(),
  error: publicErrorSchema.optional(),
});

/** A person's title and reasons are short; an imported run may hold anything. */
const textShown = 300;

function summaryOf(run: Omit<RunDescription, "steps">): z.output<typeof summarySchema> {
  return {
    run_id: run.run_id,
    title: run.title.slice(0, textShown),
    created_at: run.created_at,
    status: run.status,
    ...(run.waiting_until === null ? {} : { waiting_until: run.waiting_until }),
    ...(run.article === null ? {} : { article: run.article }),
    reasons: run.reasons.slice(0, 20).map((reason) => reason.slice(0, textShown)),
    ...(run.failed_step === null ? {} : { failed_step: run.failed_step }),
    ...(run.error === null ? {} : { error: run.error }),
  };
}

function lineOf(run: z.output<typeof summarySchema>): string {
  const article = run.article === undefined ? "" : `, article: ${run.article}`;
  const until = run.waiting_until === undefined ? "" : ` until ${run.waiting_until}`;
  return `${run.run_id}: ${run.status}${until}${article}, created ${run.created_at}: ${jsonLine(run.title)}`;
}

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
    const lines = [...runs.map(lineOf), ...(next === undefined ? [] : [`next_before: ${next}`])];
    return {
      text: lines.length === 0 ? "There are no runs." : lines.join("\n"),
      structured: { runs, ...(next === undefined ? {} : { next_before: next }) },
    };
  },
});

const stepSchema = z.object({
  step: z.string(),
  capability: z.string(),
  job_id: z.string().optional(),
  state: z.enum(["done", "stale", "failed", "unfinished"]),
  attempts: z.int(),
  error: publicErrorSchema.optional(),
});

/** So many artifacts and steps are named. */
const shown = 200;

const get = defineTool({
  name: "get_run",
  toolset: "runs",
  title: "Look at a run",
  description:
    "Says how a run stands: its state, its steps with their jobs (stale: what it read has changed since), and its artifacts with their addresses.",
  input: runInput,
  output: summarySchema.extend({
    steps: z.array(stepSchema),
    artifacts: z.array(z.object({ name: z.string(), uri: z.string(), version: z.int() })),
    artifacts_total: z.int(),
  }),
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  async run({ run_id }, { deps, signal }) {
    const run = await describeRun(deps.store, run_id);
    const heads = [...(await openRunArtifacts(deps.store, run_id).heads(signal))];
    const steps = run.steps.slice(-shown).map(({ step, capability, generation, state, attempts, error }) => {
      // A run made by another version may have steps that are no jobs here.
      const isJob = findCapability(capability) !== undefined;
      return {
        step,
        capability,
        ...(isJob ? { job_id: jobId(run_id, step, generation) } : {}),
        state,
        attempts,
        ...(error === undefined ? {} : { error }),
      };
    });
    const artifacts = heads
      .slice(0, shown)
      .map(([name, version]) => ({ name, uri: artifactUri(run_id, name), version }));
    const summary = summaryOf(run);
    return {
      text: [
        lineOf(summary),
        ...steps.map(
          ({ step, state, error }) => `step ${step}: ${state}${error ? `: ${error.message}` : ""}`,
        ),
        ...artifacts.map(({ name, uri, version }) => `artifact ${name} (version ${version}): ${uri}`),
      ].join("\n"),
      structured: { ...summary, steps, artifacts, artifacts_total: heads.length },
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
  return [createRunTool, list, get, resume, cancel];
}
