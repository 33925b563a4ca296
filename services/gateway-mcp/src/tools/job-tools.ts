import { cancelJob, describeJob, describeJobById, listJobs, parseJobId } from "@proofroom/runtime";
import { z } from "zod";
import { deliverJob } from "../jobs/deliver-job.ts";
import { anyJobAnswerSchema, jobAnswer } from "../jobs/job-answer.ts";
import { restoreJob } from "../jobs/restore-job.ts";
import { runIdArgument } from "./run-id-argument.ts";
import { defineTool, type Tool } from "./tool.ts";

/** The longest wait of one call, in milliseconds: clients give up after 60 seconds. */
const longestWait = 50_000;

const input = z
  .object({ job_id: z.string().max(200).describe("The job_id that a tool answered with.") })
  .strict();

const jobGet = defineTool({
  name: "job_get",
  toolset: "jobs",
  title: "Look at a job",
  description:
    "Says at once, without waiting as job_wait does, what a job has come to: queued, running, succeeded with its output, failed with its error, or cancelled.",
  input,
  output: anyJobAnswerSchema,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  async run({ job_id }, { deps }) {
    return jobAnswer(await describeJobById(deps.store, job_id));
  },
});

const jobWait = defineTool({
  name: "job_wait",
  toolset: "jobs",
  title: "Wait for a job",
  description:
    "Waits until a job has ended, at most timeout_ms milliseconds (25,000 by default, 50,000 at most), and answers with its result, or with its handle again where it is still at work: then call it again. Giving up waiting does not stop the job.",
  input: input.extend({ timeout_ms: z.int().min(0).max(longestWait).default(25_000) }),
  output: anyJobAnswerSchema,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  async run({ job_id, timeout_ms }, context) {
    const { status } = await describeJobById(context.deps.store, job_id);
    const job = parseJobId(job_id);
    // Whoever waits in short turns would never come to the time when it is put in again while they wait.
    if (status === "queued") await restoreJob(context.deps, job);
    return deliverJob(context, job, timeout_ms);
  },
});

const jobCancel = defineTool({
  name: "job_cancel",
  toolset: "jobs",
  title: "Cancel a job",
  description:
    "Cancels a job that has not ended: what is under way for it is aborted, and whatever it would still write is not kept. The rest of its run goes on, and the same call again makes a new job. A job that has ended is left as it is. cancel_run ends everything under way for a run.",
  input,
  output: anyJobAnswerSchema,
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  async run({ job_id }, { deps }) {
    await describeJobById(deps.store, job_id);
    const job = parseJobId(job_id);
    await cancelJob(deps, job);
    return { ...jobAnswer(await describeJob(deps.store, job)), isError: false };
  },
});

/** So many jobs are listed in one answer; a run has one for each of its steps. */
const jobsShown = 100;

const jobList = defineTool({
  name: "job_list",
  toolset: "jobs",
  title: "List a run's jobs",
  description:
    "Lists the jobs of a run with their ids and states, for instance after an answer was lost. Only each step's newest job is listed; of what the orchestrator does, a job is known when a worker has begun it. next_after, where it is given, is the after of the next page.",
  input: z
    .object({
      run_id: runIdArgument,
      after: z.string().max(200).optional().describe("next_after of the page before."),
    })
    .strict(),
  output: z.object({
    run_id: z.string(),
    jobs: z.array(
      z.object({
        job_id: z.string(),
        capability: z.string(),
        status: anyJobAnswerSchema.shape["status"] as z.ZodEnum,
      }),
    ),
    total: z.int(),
    next_after: z.string().optional(),
  }),
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  async run({ run_id, after }, { deps }) {
    const all = await listJobs(deps.store, run_id);
    const left = all.filter(({ job_id }) => after === undefined || job_id > after);
    const jobs = left
      .slice(0, jobsShown)
      .map(({ job_id, capability, status }) => ({ job_id, capability, status }));
    const next = jobs.length < left.length ? jobs.at(-1)?.job_id : undefined;
    return {
      text: [
        `run_id: ${run_id}`,
        `jobs: ${jobs.length} of ${all.length}`,
        ...jobs.map(({ job_id, capability, status }) => `${job_id} (${capability}): ${status}`),
        ...(next === undefined ? [] : [`next_after: ${next}`]),
      ].join("\n"),
      structured: {
        run_id,
        jobs,
        total: all.length,
        ...(next === undefined ? {} : { next_after: next }),
      },
    };
  },
});

/** The tools that follow jobs. */
export function jobTools(): Tool[] {
  return [jobGet, jobWait, jobCancel, jobList];
}
