import type { RunEvent } from "@proofroom/contracts";
import type { EventLog } from "@proofroom/queue";
import type { JobRef } from "@proofroom/runtime";
import type { Progress } from "./progress.ts";

/** A sign of life while nothing happens, so often, in milliseconds: proxies cut connections that are silent. */
const heartbeat = 5_000;

/** What an event means, in our own words: those of the event may quote a page that was fetched. */
function textOf(event: RunEvent, capability: string): string | null {
  if (event.type === "step.started") return `${capability} has started`;
  if (event.type === "step.retrying") return `${capability} is tried again`;
  if (event.type !== "step.progress" || event.progress === undefined) return null;
  const { done, total } = event.progress;
  return total === undefined ? `${capability}: ${done} done` : `${capability}: ${done} of ${total} done`;
}

/** Tells the progress of a job until the signal aborts; the first message carries the job's id. */
export async function watchJob(
  events: EventLog,
  job: JobRef,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const { name } = job.capability;
  progress.say(`${name} is job ${job.jobId}`);
  const timer = setInterval(() => progress.say(`${name} is at work`), heartbeat);
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  const after = await events.position(job.runId).catch(() => "$");
  for await (const event of events.follow(job.runId, after, signal)) {
    if (event.step !== job.stepId) continue;
    const text = textOf(event, name);
    if (text !== null) progress.say(text);
  }
}
