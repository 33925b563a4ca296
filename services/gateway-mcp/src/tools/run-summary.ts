import { publicErrorSchema, runStatusSchema } from "@proofroom/contracts";
import type { RunSummary } from "@proofroom/runtime/records";
import { z } from "zod";
import { errorLines } from "../error-lines.ts";
import { jsonLine } from "../json-line.ts";

/** A run as lists show it. */
export const summarySchema = z.object({
  run_id: z.string(),
  title: z.string(),
  created_at: z.string(),
  status: runStatusSchema,
  waiting_until: z.string().optional(),
  article: z.enum(["approved", "draft"]).optional(),
  reasons: z.array(z.string()),
  reasons_total: z.int(),
  failed_step: z.string().optional(),
  error: publicErrorSchema.optional(),
});
type Summary = z.output<typeof summarySchema>;

/** A person's title and reasons are short, and few; an imported run may hold anything. */
const textShown = 300;
const reasonsShown = 20;

export function summaryOf(run: RunSummary): Summary {
  return {
    run_id: run.run_id,
    title: run.title.slice(0, textShown),
    created_at: run.created_at,
    status: run.status,
    ...(run.waiting_until === null ? {} : { waiting_until: run.waiting_until }),
    ...(run.article === null ? {} : { article: run.article }),
    reasons: run.reasons.slice(0, reasonsShown).map((reason) => reason.slice(0, textShown)),
    reasons_total: run.reasons.length,
    ...(run.failed_step === null ? {} : { failed_step: run.failed_step }),
    ...(run.error === null ? {} : { error: run.error }),
  };
}

/** The same in the text: what became of it stands below it. */
export function summaryLines(run: Summary): string[] {
  const article = run.article === undefined ? "" : `, article: ${run.article}`;
  const until = run.waiting_until === undefined ? "" : ` until ${run.waiting_until}`;
  return [
    `${run.run_id}: ${run.status}${until}${article}, created ${run.created_at}: ${jsonLine(run.title)}`,
    ...(run.failed_step === undefined ? [] : [`failed step: ${run.failed_step}`]),
    ...(run.error === undefined ? [] : errorLines(run.error)),
    ...run.reasons.map((reason) => `reason: ${jsonLine(reason)}`),
    ...(run.reasons_total > run.reasons.length
      ? [`reasons: the first ${run.reasons.length} of ${run.reasons_total}`]
      : []),
  ];
}
