import { z } from "zod";

/** The most jobs that one worker may have at a time: what more processes do better. */
const mostAtOnce = 1_000;

const atOnce = (text: string) =>
  /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= mostAtOnce ? Number(text) : null;

function listOf(text: string): string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/** How many jobs at a time: one number for all queues, or one for each that is named. */
const concurrency = z
  .string()
  .default("")
  .transform((text, context) => {
    const all = atOnce(text.trim());
    if (all !== null) return { all, of: {} as Record<string, number> };
    const of: Record<string, number> = {};
    for (const item of listOf(text)) {
      const [, name, count] = /^([a-z_]+)=(\d+)$/.exec(item) ?? [];
      const value = atOnce(count ?? "");
      if (name === undefined || value === null) {
        const message = `must be a number from 1 to ${mostAtOnce}, or such as ingest_web_page=8,draft_article_section=2`;
        context.addIssue({ code: "custom", message });
        return z.NEVER;
      }
      of[name] = value;
    }
    return { all: undefined, of };
  });

/** Which queues a service's process serves, how many jobs of each at a time, and how long it drains. */
export const workersConfig = z
  .object({
    PROOFROOM_QUEUES: z.string().transform(listOf).optional(),
    PROOFROOM_CONCURRENCY: concurrency,
    /** Seconds. */
    PROOFROOM_GRACE: z.coerce.number().min(0).max(3_600).default(30),
  })
  .transform((env) => ({
    queues: env.PROOFROOM_QUEUES,
    concurrency: env.PROOFROOM_CONCURRENCY,
    graceMs: env.PROOFROOM_GRACE * 1_000,
  }));
