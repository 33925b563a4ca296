import type { ObjectStore } from "@proofroom/artifacts";
import { type Capability, findCapability, ProofroomError, publicCapabilities } from "@proofroom/contracts";
import {
  callCapability,
  cancelJob,
  describeCalledJob,
  describeJobById,
  type JobDescription,
  listJobs,
  parseJobId,
  resubmitJob,
  waitForJob,
} from "@proofroom/runtime";
import type { FastifyReply } from "fastify";
import { z } from "zod";
import type { RouteDeps } from "../deps.ts";
import { jsonRoute, type Route, route } from "../routing/route.ts";
import { requireRun } from "../runs/require-run.ts";
import { jobSchema, runParams } from "./schemas.ts";

function newJobOf(capability: Capability) {
  const input = capability.input.strict();
  return z.strictObject({
    run_id: z.string(),
    capability: z.literal(capability.name),
    input: input.safeParse({}).success ? input.prefault({}) : input,
    force: z.boolean().default(false).describe("Execute again although the result stands."),
  });
}
type NewJob = ReturnType<typeof newJobOf>;

const newJobSchema = z.discriminatedUnion(
  "capability",
  publicCapabilities().map(newJobOf) as [NewJob, ...NewJob[]],
);

/** A flag in a query. */
const queryFlag = z.enum(["true", "false"]).default("false");

const accepted = {
  202: { description: "The job.", schema: jobSchema, headers: { Location: "Its address." } },
};

/** How long an answer may be held back, in seconds: proxies give up on silent requests after thirty. */
const waitLimit = 25;

const jobParams = z.object({ job_id: z.string() });

/** The routes by which capabilities are called alone, and their jobs looked at. */
export function jobRoutes(deps: RouteDeps): Route[] {
  async function call(
    { store, reply }: { store: ObjectStore; reply: FastifyReply },
    to: { runId: string; capability: Capability; input: Record<string, unknown>; force: boolean },
  ): Promise<FastifyReply> {
    const job = await callCapability({ ...deps, store }, to).catch(async (error: unknown) => {
      // Looked up only now: whoever calls on a run that is there need not wait for that.
      await requireRun(store, to.runId);
      throw error;
    });
    return reply
      .code(202)
      .header("location", `/v1/jobs/${job.jobId}`)
      .send(await describeCalledJob(store, job));
  }

  async function answer(
    store: ObjectStore,
    id: string,
    { seconds, signal }: { seconds: number; signal: AbortSignal },
  ): Promise<JobDescription> {
    const now = await describeJobById(store, id);
    if (seconds === 0 || (now.status !== "queued" && now.status !== "running")) return now;
    const job = parseJobId(id);
    // What Redis lost is put in again; where it is away the ledger still tells how the job ends.
    const resubmit = () => resubmitJob({ ...deps, store }, job).catch(() => undefined);
    try {
      await waitForJob(store, job, { timeoutMs: seconds * 1_000, signal, resubmit });
    } catch (error) {
      // The server closes: the client asks the next one.
      if (!signal.aborted) throw error;
    }
    // Its run may have been removed meanwhile.
    return describeJobById(store, id);
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
      async handle({ body, store, reply }) {
        const capability = findCapability(body.capability);
        if (capability === undefined) {
          throw new ProofroomError({ code: "not_found", message: "There is no such capability." });
        }
        const { run_id: runId, input, force } = body;
        return call({ store, reply }, { runId, capability, input, force });
      },
    }),
    route({
      method: "GET",
      path: "/v1/jobs/{job_id}",
      id: "getJob",
      tag: "jobs",
      summary: "Look at a job",
      params: jobParams,
      query: z.object({
        wait: z
          .string()
          .regex(/^(?:[0-9]|1[0-9]|2[0-5])$/)
          .transform(Number)
          .prefault("0")
          .describe(`Seconds to wait for its end, ${waitLimit} at most; it is answered as it is then.`),
      }),
      answers: { 200: { description: "The job.", schema: jobSchema } },
      problems: [404],
      handle: ({ params, query, store, ending }) =>
        answer(store, params.job_id, { seconds: query.wait, signal: ending }),
    }),
    route({
      method: "POST",
      path: "/v1/jobs/{job_id}/cancel",
      id: "cancelJob",
      tag: "jobs",
      summary: "Cancel a job",
      description:
        "Ends it as cancelled and aborts what is under way for it, and for no other job of its run. A job that has ended stays as it is. In a run that the orchestrator moves, the step has failed; calling the capability again makes a new job.",
      params: jobParams,
      answers: { 200: { description: "The job as it is now.", schema: jobSchema } },
      problems: [404],
      async handle({ params, store }) {
        const { job_id } = await describeJobById(store, params.job_id);
        await cancelJob({ ...deps, store }, parseJobId(job_id));
        return describeJobById(store, job_id);
      },
    }),
    route({
      method: "GET",
      path: "/v1/runs/{run_id}/jobs",
      id: "listJobs",
      tag: "jobs",
      summary: "List the jobs of a run",
      description:
        "The newest job of each step, by their ids, for instance after an answer was lost. What the orchestrator has put into the queue is not known before a worker takes it.",
      params: runParams,
      answers: { 200: { description: "Its jobs.", schema: z.object({ jobs: z.array(jobSchema) }) } },
      problems: [404],
      async handle({ params, store }) {
        const { run_id } = await requireRun(store, params.run_id);
        return { jobs: await listJobs(store, run_id) };
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
        handle: ({ params, query, body, store, reply }) =>
          call(
            { store, reply },
            { runId: params.run_id, capability, input: body, force: query.force === "true" },
          ),
      }),
    ),
  ];
}
