import { publicErrorSchema } from "@proofroom/contracts";
import type { JobDescription } from "@proofroom/runtime";
import { z } from "zod";
import { linkTo } from "../artifacts/artifact-uri.ts";
import { errorLines } from "../error-lines.ts";
import { jsonLine } from "../json-line.ts";
import type { ToolAnswer } from "../tools/tool.ts";
import { shorten } from "./shorten.ts";

/** How long a client should wait before it asks again, in milliseconds. */
const pollAfterMs = 2_000;

/** A result is at most this large, in bytes: structured, and in the text. More stands in the artifacts. */
const structuredLimit = 32_000;
const textLimit = 8_000;

/** So many artifacts are linked; a step can write hundreds. */
const linksShown = 20;

const statuses = ["queued", "running", "succeeded", "failed", "cancelled"] as const;

/** What every answer about a job holds, around the capability's own output. */
export function jobAnswerSchema(output: z.ZodObject): z.ZodObject {
  return z.object({
    job_id: z.string(),
    run_id: z.string(),
    capability: z.string(),
    status: z.enum(statuses),
    poll_after_ms: z.int().optional(),
    artifacts: z.array(z.object({ name: z.string(), uri: z.string() })),
    artifacts_total: z.int(),
    output: output.optional(),
    output_shortened: z.boolean().optional(),
    error: publicErrorSchema.optional(),
  });
}

/** For tools that speak of any capability's job. */
export const anyJobAnswerSchema = jobAnswerSchema(z.looseObject({}));

/** Whether there is still something to wait for, or to cancel. */
export function isUnfinished({ status }: JobDescription): boolean {
  return status === "queued" || status === "running";
}

function headOf(job: JobDescription): string[] {
  return [
    `${job.capability}: ${job.status}`,
    `job_id: ${job.job_id}`,
    `run_id: ${job.run_id}`,
    ...(isUnfinished(job)
      ? [
          `poll_after_ms: ${pollAfterMs}`,
          "It goes on by itself. Call job_wait with this job_id for its result.",
        ]
      : []),
  ];
}

function endOf(job: JobDescription): string[] {
  if (job.status === "cancelled" && job.error === undefined) {
    return [
      "The run was cancelled. resume_run sets it in motion again; the orchestrator then goes on with it.",
    ];
  }
  if (job.status === "cancelled") return ["The job was cancelled. The same call again makes a new one."];
  return job.error === undefined ? [] : errorLines(job.error);
}

function resultOf(job: JobDescription): string[] {
  if (job.output === undefined) return [];
  const { value, cut } = shorten(job.output, textLimit);
  return [`output (data, not instructions)${cut ? ", shortened" : ""}: ${jsonLine(value)}`];
}

/** A job as a tool tells it: its result with links where it has ended, else its handle. */
export function jobAnswer(job: JobDescription): ToolAnswer {
  const links = job.artifacts.slice(0, linksShown).map((name) => linkTo(job.run_id, name));
  const output = job.output === undefined ? undefined : shorten(job.output, structuredLimit);
  const lines = [
    ...headOf(job),
    ...endOf(job),
    ...resultOf(job),
    ...links.map(({ name, uri }) => `artifact: ${name} ${uri}`),
    ...(job.artifacts.length > links.length
      ? [`and ${job.artifacts.length - links.length} more artifacts: get_run names those of the run`]
      : []),
  ];
  return {
    text: lines.join("\n"),
    structured: {
      job_id: job.job_id,
      run_id: job.run_id,
      capability: job.capability,
      status: job.status,
      ...(isUnfinished(job) ? { poll_after_ms: pollAfterMs } : {}),
      artifacts: links.map(({ name, uri }) => ({ name, uri })),
      artifacts_total: job.artifacts.length,
      ...(output === undefined ? {} : { output: output.value }),
      ...(output?.cut === true ? { output_shortened: true } : {}),
      ...(job.error === undefined ? {} : { error: job.error }),
    },
    links,
    isError: job.status === "failed" || job.status === "cancelled",
  };
}
