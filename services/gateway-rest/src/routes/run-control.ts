import { stepIdSchema } from "@proofroom/contracts";
import { cancelRun, resumeRun, retryFrom, startRun } from "@proofroom/runtime";
import { describeRun, openLedger } from "@proofroom/runtime/records";
import { z } from "zod";
import type { AppDeps } from "../deps.ts";
import { reaching } from "../queue-away.ts";
import { jsonRoute, type Route, route } from "../routing/route.ts";
import { requireRun } from "../runs/require-run.ts";
import { runParams, runSchema } from "./schemas.ts";

const moved = runSchema.extend({
  edited: z
    .array(z.string())
    .describe("Artifacts that a person had changed and that are versions of theirs now."),
});

/** The routes by which a run is set in motion again and stopped. */
export function runControlRoutes(deps: AppDeps): Route[] {
  const { store } = deps;
  return [
    route({
      method: "POST",
      path: "/v1/runs/{run_id}/resume",
      id: "resumeRun",
      tag: "runs",
      summary: "Start or resume a run",
      description:
        "Sets the run in motion, whatever stopped it: it was created without being started, it failed, was cancelled, or an artifact was edited. No finished step is executed again unless something that it read has changed.",
      params: runParams,
      answers: { 202: { description: "It moves.", schema: moved } },
      problems: [404],
      async handle({ params, reply }) {
        const { run_id } = await requireRun(store, params.run_id);
        const { epoch } = await openLedger(store, run_id).load();
        let edited: string[] = [];
        if (epoch === null) await startRun(deps, run_id);
        else ({ edited } = await resumeRun(deps, run_id));
        return reply.code(202).send({ ...(await describeRun(store, run_id)), edited });
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
      async handle({ params }) {
        const { run_id } = await requireRun(store, params.run_id);
        await reaching(cancelRun(deps, run_id));
        return describeRun(store, run_id);
      },
    }),
    jsonRoute({
      method: "POST",
      path: "/v1/runs/{run_id}/retry",
      id: "retryRun",
      tag: "runs",
      summary: "Execute a step again",
      description:
        "Executes a step again, though it may be finished, and then whatever follows from what it writes.",
      params: runParams,
      body: z.strictObject({ from: stepIdSchema.describe("The step, as the run's `steps` name it.") }),
      answers: { 202: { description: "It moves.", schema: runSchema } },
      problems: [404, 409],
      async handle({ params, body, reply }) {
        const { run_id } = await requireRun(store, params.run_id);
        await retryFrom(deps, run_id, body.from);
        return reply.code(202).send(await describeRun(store, run_id));
      },
    }),
  ];
}
