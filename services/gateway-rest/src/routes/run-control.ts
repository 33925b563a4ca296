import type { ObjectStore } from "@proofroom/artifacts";
import { ProofroomError, runBudgetSchema, stepIdSchema } from "@proofroom/contracts";
import { cancelRun, resumeRun, retryFrom, startRun } from "@proofroom/runtime";
import { describeRun, openLedger } from "@proofroom/runtime/records";
import { z } from "zod";
import type { RunRouteDeps } from "../deps.ts";
import { jsonRoute, type Route, route } from "../routing/route.ts";
import { requireRun } from "../runs/require-run.ts";
import { runParams, runSchema } from "./schemas.ts";

const moved = runSchema.extend({
  edited: z
    .array(z.string())
    .describe("Artifacts that a person had changed and that are versions of theirs now."),
});

const resumeSchema = z
  .strictObject(runBudgetSchema.shape)
  .prefault({})
  .describe(
    "What the run may spend from now on, all in all, where its budget was spent; what is left out stays as it was.",
  );

/** @throws ProofroomError conflict where the step is finished and what it read has not changed */
async function assertNotDone(
  { store, tallies }: Pick<RunRouteDeps, "tallies"> & { store: ObjectStore },
  runId: string,
  stepId: string,
): Promise<void> {
  const { steps } = await describeRun(store, runId, tallies);
  if (steps.find(({ step }) => step === stepId)?.state !== "done") return;
  throw new ProofroomError({
    code: "conflict",
    message: `The step ${stepId} is done, and what it read has not changed.`,
    remedy: 'Send "force": true to execute it again all the same.',
  });
}

/** The routes by which a run is set in motion again and stopped. */
export function runControlRoutes(deps: RunRouteDeps): Route[] {
  return [
    jsonRoute({
      method: "POST",
      path: "/v1/runs/{run_id}/resume",
      id: "resumeRun",
      tag: "runs",
      summary: "Start or resume a run",
      description:
        "Sets the run in motion, whatever stopped it: it was created without being started, it failed, was cancelled, an artifact was edited, or its budget was spent. No finished step is executed again unless something that it read has changed.",
      params: runParams,
      body: resumeSchema,
      answers: { 202: { description: "It moves.", schema: moved } },
      problems: [404],
      async handle({ params, body, store, reply }) {
        const { run_id } = await requireRun(store, params.run_id);
        const { epoch } = await openLedger(store, run_id).load();
        let edited: string[] = [];
        const saysNothing = Object.keys(body).length === 0;
        if (epoch === null && saysNothing) await startRun({ ...deps, store }, run_id);
        else ({ edited } = await resumeRun({ ...deps, store }, run_id, { budget: body }));
        return reply.code(202).send({ ...(await describeRun(store, run_id, deps.tallies)), edited });
      },
    }),
    route({
      method: "POST",
      path: "/v1/runs/{run_id}/cancel",
      id: "cancelRun",
      tag: "runs",
      summary: "Cancel a run",
      description:
        "Aborts what is under way. A run that has ended stays as it is; finished steps stay finished.",
      params: runParams,
      answers: { 200: { description: "The run as it is now.", schema: runSchema } },
      problems: [404],
      async handle({ params, store }) {
        const { run_id } = await requireRun(store, params.run_id);
        await cancelRun({ ...deps, store }, run_id);
        return describeRun(store, run_id, deps.tallies);
      },
    }),
    jsonRoute({
      method: "POST",
      path: "/v1/runs/{run_id}/retry",
      id: "retryRun",
      tag: "runs",
      summary: "Execute a step again",
      description:
        "Executes again a step that failed, was cut short, or is stale, and then whatever follows from what it writes; one that is done only with `force`.",
      params: runParams,
      body: z.strictObject({
        from: stepIdSchema.describe("The step, as the run's `steps` name it."),
        force: z.boolean().default(false).describe("Execute it again though it is done."),
      }),
      answers: { 202: { description: "It moves.", schema: runSchema } },
      problems: [404, 409],
      async handle({ params, body, store, reply }) {
        const { run_id } = await requireRun(store, params.run_id);
        if (!body.force) await assertNotDone({ ...deps, store }, run_id, body.from);
        await retryFrom({ ...deps, store }, run_id, body.from);
        return reply.code(202).send(await describeRun(store, run_id, deps.tallies));
      },
    }),
  ];
}
