import { isProofroomError } from "@proofroom/contracts";
import {
  cancelJob,
  describeCalledJob,
  describeJobById,
  type JobDescription,
  parseJobId,
} from "@proofroom/runtime";
import { openLedger } from "@proofroom/runtime/records";
import type { GatewayDeps } from "../gateway-deps.ts";
import { isUnfinished, jobAnswer } from "../jobs/job-answer.ts";
import { restoreJob } from "../jobs/restore-job.ts";
import { toResult } from "../protocol/register-tool.ts";
import { inToolSpan } from "../protocol/tool-span.ts";
import { errorAnswer, parseArguments } from "../tools/call-tool.ts";
import type { Tool } from "../tools/tool.ts";
import type { Task, TaskSource, TaskState } from "./register-tasks.ts";

const pollIntervalMs = 1_000;

/** When a job was asked for, or begun where the orchestrator had it done, and when it was last heard of. */
async function timesOf(deps: GatewayDeps, job: JobDescription): Promise<Times> {
  const { runId, stepId, generation } = parseJobId(job.job_id);
  const ledger = openLedger(deps.store, runId);
  const step = { stepId, generation };
  const attempts = await ledger.attempts(step);
  const asked = (await ledger.request(step)) ?? attempts[0];
  const createdAt = asked?.at ?? (await ledger.manifest()).created_at;
  const finishedAt = (await ledger.record(step))?.finished_at;
  return { createdAt, lastUpdatedAt: finishedAt ?? attempts.at(-1)?.at ?? createdAt };
}

type Times = Pick<Task, "createdAt" | "lastUpdatedAt">;

function taskOf(job: JobDescription, times: Times): Task {
  return {
    taskId: job.job_id,
    statusMessage: `${job.capability}: ${job.status}`,
    ...times,
    // A result stands in the store for as long as its run.
    ttlMs: null,
    pollIntervalMs,
  };
}

/** A job that failed is a task that completed, with an error as its result. */
function stateOf(job: JobDescription): TaskState {
  if (isUnfinished(job)) return { status: "working" };
  if (job.status === "cancelled") return { status: "cancelled" };
  return { status: "completed", result: toResult(jobAnswer(job)) };
}

async function jobOf(deps: GatewayDeps, taskId: string): Promise<JobDescription | undefined> {
  try {
    return await describeJobById(deps.store, taskId);
  } catch (error) {
    if (!isProofroomError(error) || error.code !== "not_found") throw error;
    return undefined;
  }
}

/** Jobs as tasks: of every tool that starts one. A task is given out only when the queue has its job. */
export function jobTasks(tools: ReadonlyMap<string, Tool>, open: () => Promise<GatewayDeps>): TaskSource {
  return {
    async begin(call, context) {
      const tool = tools.get(call.name);
      if (tool?.start === undefined) return undefined;
      try {
        const deps = await open();
        const { start } = tool;
        const started = await inToolSpan(deps.tracing, { tool: call.name, context }, () =>
          start(parseArguments(tool, call.arguments), deps),
        );
        const job = await describeCalledJob(deps.store, started);
        if (!isUnfinished(job)) return { result: toResult(jobAnswer(job)) };
        const at = started.askedAt;
        const times = at === null ? await timesOf(deps, job) : { createdAt: at, lastUpdatedAt: at };
        return { task: taskOf(job, times) };
      } catch (error) {
        return { result: toResult(errorAnswer(error)) };
      }
    },

    async find(taskId) {
      const deps = await open();
      const job = await jobOf(deps, taskId);
      if (job === undefined) return undefined;
      // Such a client never waits for its job: nobody else would see that Redis has lost it.
      if (job.status === "queued") await restoreJob(deps, parseJobId(job.job_id));
      return { ...taskOf(job, await timesOf(deps, job)), ...stateOf(job) };
    },

    async cancel(taskId) {
      const deps = await open();
      const job = await jobOf(deps, taskId);
      if (job !== undefined) await cancelJob(deps, parseJobId(job.job_id));
      return job !== undefined;
    },

    // No job ever asks for input; an answer to nothing is acknowledged, as the extension says.
    update: async (taskId) => (await jobOf(await open(), taskId)) !== undefined,
  };
}
