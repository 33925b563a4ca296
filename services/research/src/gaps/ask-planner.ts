import { readFileSync } from "node:fs";
import type { Source } from "@proofroom/contracts";
import { disarmed, type Models, waitingText } from "@proofroom/models";
import type { StepContext } from "@proofroom/runtime";
import { z } from "zod";
import type { Coverage } from "./coverage.ts";
import { isPublic } from "./public-source.ts";

/** How much of the guideline is shown, and of each title, point, query and sentence, in characters. */
const guidelineBudget = 12_000;
const lineBudget = 300;
/** How many sources and earlier queries, of these the latest. */
const mostSources = 100;
const mostAsked = 200;

const text = z.string().trim().min(1).max(500);
const planSchema = z.object({
  gaps: z.array(text).max(20),
  queries: z.array(z.object({ question: text, reason: text })).max(10),
});

export type QueryPlan = z.output<typeof planSchema>;

interface PlannerTask {
  guideline: string;
  sources: readonly Source[];
  coverage: readonly Coverage[];
  /** What was asked before. */
  asked: readonly string[];
  /** The most queries. */
  count: number;
}

/** Has a model name the gaps and the queries for them; null where none is configured, a reason where none gave an answer of use. */
export type AskPlanner = (
  task: PlannerTask,
  context: StepContext,
) => Promise<{ plan: QueryPlan; by: string } | { reason: string } | null>;

/** @throws ProofroomError what asking a model throws */
export function createAskPlanner(models: Models): AskPlanner {
  const system = readFileSync(new URL("../prompts/propose-queries.md", import.meta.url), "utf8");
  return async (task, context) => {
    const { runId, stepId, generation, signal } = context;
    const answer = await models.ask({
      role: "planner",
      // Then the points that the evidence covers least are the gaps.
      optional: true,
      asker: { runId, stepId, generation },
      request: {
        system,
        parts: [
          {
            kind: "text",
            text: `<guideline>\n${disarmed(task.guideline.slice(0, guidelineBudget))}\n</guideline>`,
          },
          { kind: "text", text: `<sources>\n${disarmed(sourcesText(task.sources))}\n</sources>` },
          { kind: "text", text: `<points>\n${disarmed(coverageText(task.coverage))}\n</points>` },
          {
            kind: "text",
            text: `<asked>\n${disarmed(task.asked.slice(-mostAsked).map(lineOf).join("\n"))}\n</asked>`,
          },
          { kind: "text", text: `At most ${task.count} queries.` },
        ],
        maxTokens: 4_096,
      },
      expected: { kind: "json", schema: planSchema, check: (plan) => flawOf(plan, task.count) },
      onWait: (...wait) => context.progress({ done: 0, message: waitingText(...wait) }),
      signal,
    });
    if ("value" in answer) return { plan: answer.value, by: answer.by };
    return answer.useless === true ? { reason: "No proposal that a model made could be used." } : null;
  };
}

function flawOf({ gaps, queries }: QueryPlan, count: number): string | null {
  if (queries.length > count) return `It has ${queries.length} queries; at most ${count} were asked for.`;
  if (gaps.length > 0 && queries.length === 0) return "It names gaps, but no query for any of them.";
  return gaps.length === 0 && queries.length > 0 ? "It has queries, but names no gap." : null;
}

/** What only the author can read is counted and not named: what the model is told may stand in a query. */
function sourcesText(sources: readonly Source[]): string {
  const readable = sources.filter(isPublic);
  const shown = readable.slice(0, mostSources).map(({ kind, title }) => `- ${lineOf(title)} (${kind})`);
  const more = readable.length - shown.length;
  const own = sources.length - readable.length;
  return [
    ...shown,
    ...(more > 0 ? [`- and ${more} more`] : []),
    ...(own > 0 ? [`- ${own} of the author's own`] : []),
  ].join("\n");
}

function coverageText(coverage: readonly Coverage[]): string {
  return coverage
    .map(
      (one) =>
        `- ${lineOf(one.section === null ? one.point : `${one.section}: ${one.point}`)}\n  ${knownText(one)}`,
    )
    .join("\n");
}

function knownText({ best, isPublic: isShown, coverage }: Coverage): string {
  if (best === null) return "The sources have: nothing";
  if (isShown) return `The sources have: ${lineOf(best)}`;
  return `A source of the author's own bears on ${Math.round(coverage * 100)} % of it.`;
}

function lineOf(text: string): string {
  return text.replace(/\s+/g, " ").slice(0, lineBudget);
}
