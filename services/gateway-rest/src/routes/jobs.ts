import { type Capability, findCapability, ProofroomError, publicCapabilities } from "@proofroom/contracts";
import {
  callCapability,
  describeJob,
  describeJobById,
  type JobDescription,
  parseJobId,
  waitForJob,
} from "@proofroom/runtime";
import type { FastifyReply } from "fastify";
import { z } from "zod";
import type { AppDeps } from "../deps.ts";
import { jsonRoute, type Route, route } from "../routing/route.ts";
import { requireRun } from "../runs/require-run.ts";
import { jobSchema, runParams } from "./schemas.ts";

const names = publicCapabilities().map(({ name }) => name) as [string, ...string[]];

const newJobSchema = z.strictObject({
  run_id: z.string(),
  capability: z.enum(names),
  input: z.record(z.string(), z.unknown()).default({}),
  force: z.boolean().default(false).describe("Execute again although the result stands."),
});

/** A flag in a query. */
const queryFlag = z.enum(["true", "false"]).default("false");

const accepted = {
  202: { description: "The job.", schema: jobSchema, headers: { Location: "Its address." } },
};

/** How long an answer may be held back, in seconds: proxies give up on silent requests after thirty. */
const waitLimit = 25;

/** The routes by which capabilities are called alone, and their jobs looked at. */
export function jobRoutes(deps: AppDeps): Route[] {
  const { store } = deps;

  async function call(
    reply: FastifyReply,
    to: { runId: string; capability: Capability; input: Record<string, unknown>; force: boolean },
  ): Promise<FastifyReply> {
    await requireRun(store, to.runId);
    const job = await callCapability(deps, to);
    return reply
      .code(202)
      .header("location", `/v1/jobs/${job.jobId}`)
      .send(await describeJob(store, job));
  }

  async function answer(id: string, seconds: number, signal: AbortSignal): Promise<JobDescription> {
    const now = await describeJobById(store, id);
    if (seconds === 0 || (now.status !== "queued" && now.status !== "running")) return now;
    try {
      return await waitForJob(store, parseJobId(id), { timeoutMs: seconds * 1_000, signal });
    } catch (error) {
      // The server closes: the client asks the next one.
      if (signal.aborted) return describeJobById(store, id);
      throw error;
    }
  }

  return [
    jsonRoute({
      method: "POST",
      path: "/v1/jobs",
      id: "createJob",
      tag: "jobs",
      summary: "Call a capability",
      description: "The same call again finds the same job while its result stands.",
      body: newJobSchema,
      answers: accepted,
      problems: [404],
      async handle({ body, reply }) {
        const capability = findCapability(body.capability);
        if (capability === undefined) {
          throw new ProofroomError({ code: "not_found", message: "There is no such capability." });
        }
        return call(reply, { runId: body.run_id, capability, input: body.input, force: body.force });
      },
    }),
    route({
      method: "GET",
      path: "/v1/jobs/{job_id}",
      id: "getJob",
      tag: "jobs",
      summary: "Look at a job",
      params: z.object({ job_id: z.string() }),
      query: z.object({
        wait: z
          .string()
          .regex(/^[0-9]{1,2}$/)
          .transform(Number)
          .pipe(z.int().max(waitLimit))
          .prefault("0")
          .describe(`Seconds to wait for its end, ${waitLimit} at most; it is answered as it is then.`),
      }),
      answers: { 200: { description: "The job.", schema: jobSchema } },
      problems: [404],
      async handle({ params, query, signal }) {
        await requireRun(store, parseJobId(params.job_id).runId);
        return answer(params.job_id, query.wait, signal);
      },
    }),
    ...publicCapabilities().map((capability) =>
      jsonRoute({
        method: "POST",
        path: `/v1/runs/{run_id}/capabilities/${capability.name}`,
        id: capability.name,
        tag: "capabilities",
        summary: capability.title,
        description: capability.summary,
        params: runParams,
        query: z.object({ force: queryFlag.describe("Execute again although the result stands.") }),
        body: capability.input.strict(),
        answers: accepted,
        problems: [404],
        handle: ({ params, query, body, reply }) =>
          call(reply, {
            runId: params.run_id,
            capability,
            input: body,
            force: query.force === "true",
          }),
      }),
    ),
  ];
}
