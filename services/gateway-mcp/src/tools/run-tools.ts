import { openRunArtifacts } from "@proofroom/artifacts";
import {
  ProofroomError,
  publicErrorSchema,
  runIdSchema,
  runOptionsSchema,
  runStatusSchema,
} from "@proofroom/contracts";
import { cancelRun, resumeRun } from "@proofroom/runtime";
import {
  createRun,
  describeRun,
  listRuns,
  type RunDescription,
  summariseRun,
} from "@proofroom/runtime/records";
import { z } from "zod";
import { artifactUri } from "../artifacts/artifact-uri.ts";
import { jobOfStep } from "../jobs/step-jobs.ts";
import { checkFiles, guidelineOfTopic, titleOf } from "./new-guideline.ts";
import { defineTool, type Tool } from "./tool.ts";

const runInput = z.object({ run_id: runIdSchema }).strict();

const summarySchema = z.object({
  run_id: z.string(),
  title: z.string(),
  created_at: z.string(),
  status: runStatusSchema,
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
    ...(run.article === null ? {} : { article: run.article }),
    reasons: run.reasons.slice(0, 20).map((reason) => reason.slice(0, textShown)),
    ...(run.failed_step === null ? {} : { failed_step: run.failed_step }),
    ...(run.error === null ? {} : { error: run.error }),
  };
}

function lineOf(run: z.output<typeof summarySchema>): string {
  const article = run.article === undefined ? "" : `, article: ${run.article}`;
  return `${run.run_id}: ${run.status}${article}, created ${run.created_at}: ${JSON.stringify(run.title)}`;
}

const create = defineTool({
  name: "create_run",
  toolset: "runs",
  title: "Create a run",
  description:
    "Creates a run, one article project, and answers its run_id; nothing is started: call the other tools on it step by step, or resume_run to have the orchestrator do all of it. Give either guideline (Markdown: a title, an outline if there is one, and the sources as links) or topic with sources. source_files are texts that the guideline links to by their path, such as notes.md. URLs are fetched later, by the research tools.",
  input: z
    .object({
      guideline: z.string().min(1).max(1_000_000).optional(),
      topic: z.string().max(300).optional(),
      source_urls: z
        .array(z.url({ protocol: /^https?$/ }).max(2_000))
        .max(100)
        .optional(),
      source_files: z
        .array(z.object({ path: z.string().min(1).max(200), text: z.string().max(2_000_000) }).strict())
        .max(50)
        .optional(),
      max_rounds: runOptionsSchema.shape.max_rounds.unwrap().optional(),
      approve_at: runOptionsSchema.shape.approve_at.unwrap().optional(),
      allow_draft: z.boolean().optional(),
      require_code_run: z.boolean().optional(),
    })
    .strict(),
  output: z.object({ run_id: z.string(), title: z.string(), guideline_uri: z.string() }),
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  async run(args, { deps }) {
    const { guideline, topic, source_urls: urls = [], source_files: files = [], ...options } = args;
    checkFiles(files);
    if (guideline !== undefined && (topic !== undefined || urls.length > 0)) {
      throw new ProofroomError({
        code: "invalid_input",
        message: "A guideline names its topic and its URLs itself.",
        remedy: "Give guideline with source_files, or topic with source_urls and source_files.",
      });
    }
    const text = guideline ?? guidelineOfTopic(topic ?? "", urls, files);
    const title = guideline === undefined ? (topic ?? "").trim() : titleOf(text);
    const runId = await createRun(deps.store, {
      title,
      plan: "write",
      options: runOptionsSchema.parse(options),
      guideline: text,
      author: "person",
      async fill({ base }) {
        for (const file of files) await deps.store.create(`${base}.nova/uploads/${file.path}`, file.text);
        if (files.length === 0) return undefined;
        return { v: 1, entries: files.map(({ path }) => ({ path, kind: "file", files: [path] })) };
      },
    });
    const uri = artifactUri(runId, "article_guideline.md");
    return {
      text: `Created.\nrun_id: ${runId}\nguideline: ${uri}`,
      structured: { run_id: runId, title, guideline_uri: uri },
    };
  },
});

const list = defineTool({
  name: "list_runs",
  toolset: "runs",
  title: "List the runs",
  description:
    "Lists the runs, newest first, with their states. next_before, where it is given, is the before of the next page.",
  input: z.object({ limit: z.int().min(1).max(50).default(20), before: runIdSchema.optional() }).strict(),
  output: z.object({ runs: z.array(summarySchema), next_before: z.string().optional() }),
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  async run({ limit, before }, { deps, signal }) {
    const ids: string[] = [];
    for await (const id of listRuns(deps.store, signal))
      if (before === undefined || id < before) ids.push(id);
    const page = ids.reverse().slice(0, limit);
    const runs = [];
    for (const id of page) runs.push(summaryOf(await summariseRun(deps.store, id)));
    const next = ids.length > page.length ? page.at(-1) : undefined;
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
      const job = jobOfStep(run_id, { stepId: step, generation });
      return {
        step,
        capability,
        ...(job === null ? {} : { job_id: job.jobId }),
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
    "Hands a run to the orchestrator, which executes every step that is missing or stale up to article.html, whatever stopped it before: nothing yet started, a failure, a cancel, an edit. Finished steps are not executed again. Answers at once; get_run tells how far it is.",
  input: runInput,
  output: z.object({ run_id: z.string(), edited: z.array(z.string()) }),
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
  async run({ run_id }, { deps }) {
    const { edited } = await resumeRun(deps, run_id);
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
  return [create, list, get, resume, cancel];
}
