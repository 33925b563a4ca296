import { createTallies, openRunArtifacts } from "@proofroom/artifacts";
import {
  artifactNameSchema,
  findCapability,
  jobId,
  ProofroomError,
  publicErrorSchema,
  runCostSchema,
  stepIdSchema,
} from "@proofroom/contracts";
import { describeRun, type StepDescription } from "@proofroom/runtime/records";
import { z } from "zod";
import { artifactUri } from "../artifacts/artifact-uri.ts";
import { errorLines } from "../error-lines.ts";
import { jsonLine } from "../json-line.ts";
import { runIdArgument } from "./run-id-argument.ts";
import { summaryLines, summaryOf, summarySchema } from "./run-summary.ts";
import { defineTool, type Tool } from "./tool.ts";

const stepSchema = z.object({
  step: z.string(),
  capability: z.string(),
  job_id: z.string().optional(),
  state: z.enum(["done", "stale", "failed", "unfinished"]),
  attempts: z.int(),
  error: publicErrorSchema.optional(),
});
type Step = z.output<typeof stepSchema>;

/** So many artifacts and steps are named in one answer. */
const shown = 200;

function stepOf(
  runId: string,
  { step, capability, generation, state, attempts, error }: StepDescription,
): Step {
  // A run made by another version may have steps that are no jobs here.
  const isJob = findCapability(capability) !== undefined;
  return {
    step,
    capability,
    ...(isJob ? { job_id: jobId(runId, step, generation) } : {}),
    state,
    attempts,
    ...(error === undefined ? {} : { error }),
  };
}

/**
 * The newest steps, or the newest of those before one.
 * @throws ProofroomError invalid_input where the run has no such step
 */
function pageOfSteps(steps: readonly StepDescription[], before: string | undefined): StepDescription[] {
  if (before === undefined) return steps.slice(-shown);
  const end = steps.findIndex(({ step }) => step === before);
  if (end < 0) {
    throw new ProofroomError({
      code: "invalid_input",
      message: "The run has no step of that id.",
      remedy: "Give next_steps_before of the page before.",
    });
  }
  return steps.slice(Math.max(0, end - shown), end);
}

function stepLines({ step, capability, job_id, state, attempts, error }: Step): string[] {
  const job = job_id === undefined ? "" : `, job_id: ${job_id}`;
  const [failure, ...rest] = error === undefined ? [] : errorLines(error);
  const why = failure === undefined ? "" : `: ${failure}`;
  return [`step ${step} (${capability}): ${state}, attempts: ${attempts}${job}${why}`, ...rest];
}

/** The tool that says how a run stands. It knows what calls took that it has read once. */
export function getRunTool(): Tool {
  const tallies = createTallies({ leavesOut: true });
  return defineTool({
    name: "get_run",
    toolset: "runs",
    title: "Look at a run",
    description: `Says how a run stands: its state, what it has cost, its steps with their jobs (stale: what it read has changed since), and its artifacts with their addresses. The newest ${shown} steps and the first ${shown} artifacts are named; next_steps_before and next_artifacts_after, where they are given, are the steps_before and artifacts_after of the next page, which names steps or artifacts alone.`,
    input: z
      .object({
        run_id: runIdArgument,
        steps_before: stepIdSchema.optional().describe("next_steps_before of the page before."),
        artifacts_after: artifactNameSchema.optional().describe("next_artifacts_after of the page before."),
      })
      .strict(),
    output: summarySchema.extend({
      cost: runCostSchema.optional(),
      steps: z.array(stepSchema),
      steps_total: z.int(),
      next_steps_before: z.string().optional(),
      artifacts: z.array(z.object({ name: z.string(), uri: z.string(), version: z.int() })),
      artifacts_total: z.int(),
      next_artifacts_after: z.string().optional(),
    }),
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    async run({ run_id, steps_before: before, artifacts_after: after }, { deps, signal }) {
      const run = await describeRun(deps.store, run_id, tallies);
      const heads = [...(await openRunArtifacts(deps.store, run_id).heads(signal))];
      heads.sort(([one], [other]) => (one < other ? -1 : 1));
      // Who asks for more of one has seen the first page of the other.
      const steps = before === undefined && after !== undefined ? [] : pageOfSteps(run.steps, before);
      const earlier = steps[0] === run.steps[0] ? undefined : steps[0]?.step;
      const left =
        after === undefined && before !== undefined
          ? []
          : heads.filter(([name]) => after === undefined || name > after);
      const page = left.slice(0, shown);
      const last = page.length < left.length ? page.at(-1)?.[0] : undefined;
      const summary = summaryOf(run);
      const structured = {
        ...summary,
        ...(run.cost === null ? {} : { cost: run.cost }),
        steps: steps.map((step) => stepOf(run_id, step)),
        steps_total: run.steps.length,
        ...(earlier === undefined ? {} : { next_steps_before: earlier }),
        artifacts: page.map(([name, version]) => ({ name, uri: artifactUri(run_id, name), version })),
        artifacts_total: heads.length,
        ...(last === undefined ? {} : { next_artifacts_after: last }),
      };
      return {
        text: [
          ...summaryLines(summary),
          ...(run.cost === null ? [] : [`cost: ${jsonLine(run.cost)}`]),
          `steps: ${structured.steps.length} of ${run.steps.length}`,
          ...structured.steps.flatMap(stepLines),
          ...(earlier === undefined ? [] : [`next_steps_before: ${earlier}`]),
          `artifacts: ${page.length} of ${heads.length}`,
          ...structured.artifacts.map(
            ({ name, uri, version }) => `artifact ${name} (version ${version}): ${uri}`,
          ),
          ...(last === undefined ? [] : [`next_artifacts_after: ${last}`]),
        ].join("\n"),
        structured,
      };
    },
  });
}
