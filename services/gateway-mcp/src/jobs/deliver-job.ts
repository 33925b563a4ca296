import { describeJob, type JobDescription, type JobRef, waitForJob } from "@proofroom/runtime";
import type { ToolAnswer, ToolContext } from "../tools/tool.ts";
import { jobAnswer } from "./job-answer.ts";
import { restoreJob } from "./restore-job.ts";
import { watchJob } from "./watch-job.ts";

async function waited(context: ToolContext, job: JobRef, timeoutMs: number): Promise<JobDescription> {
  const { deps, signal, closing } = context;
  try {
    return await waitForJob(deps.store, job, {
      timeoutMs,
      signal: AbortSignal.any([signal, closing]),
      resubmit: () => restoreJob(deps, job),
    });
  } catch (error) {
    if (!closing.aborted || signal.aborted) throw error;
    return describeJob(deps.store, job);
  }
}

/**
 * Waits for a job for so many milliseconds, telling its progress, and answers with its result or its handle. A job that
 * Redis lost meanwhile is put in again. The job is not the caller's: whoever hangs up leaves it at work.
 */
export async function deliverJob(context: ToolContext, job: JobRef, timeoutMs: number): Promise<ToolAnswer> {
  const watching = new AbortController();
  const { progress, deps } = context;
  if (progress !== null) watchJob(deps.events, job, progress, watching.signal).catch(() => undefined);
  try {
    return jobAnswer(await waited(context, job, timeoutMs));
  } finally {
    watching.abort();
  }
}
