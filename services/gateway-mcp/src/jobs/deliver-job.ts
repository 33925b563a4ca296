import { type JobDescription, type JobRef, waitForJob } from "@proofroom/runtime";
import type { ToolAnswer, ToolContext } from "../tools/tool.ts";
import { jobAnswer } from "./job-answer.ts";
import { lookAtJob } from "./look-at-job.ts";
import { watchJob } from "./watch-job.ts";

async function waited(
  context: ToolContext,
  job: JobRef,
  timeoutMs: number,
  resubmit: (() => Promise<void>) | undefined,
): Promise<JobDescription> {
  const { deps, signal, closing } = context;
  const now = await lookAtJob(deps.store, job);
  if (now.status === "cancelled") return now;
  try {
    await waitForJob(deps.store, job, {
      timeoutMs,
      signal: AbortSignal.any([signal, closing]),
      ...(resubmit === undefined ? {} : { resubmit }),
    });
  } catch (error) {
    if (!closing.aborted || signal.aborted) throw error;
  }
  return lookAtJob(deps.store, job);
}

/**
 * Waits for a job for so many milliseconds, telling its progress, and answers with its result or its handle. The
 * job is not the caller's: whoever hangs up leaves it at work.
 */
export async function deliverJob(
  context: ToolContext,
  job: JobRef,
  timeoutMs: number,
  resubmit?: () => Promise<void>,
): Promise<ToolAnswer> {
  const watching = new AbortController();
  const { progress, deps } = context;
  if (progress !== null) watchJob(deps.events, job, progress, watching.signal).catch(() => undefined);
  try {
    return jobAnswer(await waited(context, job, timeoutMs, resubmit));
  } finally {
    watching.abort();
  }
}
