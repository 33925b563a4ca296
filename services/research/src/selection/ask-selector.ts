import { readFileSync } from "node:fs";
import { disarmed, type Models, waitingText } from "@proofroom/models";
import type { StepContext } from "@proofroom/runtime";
import { z } from "zod";
import type { Listed } from "./listed.ts";

/** How much of the guideline is shown, of each result, and of all of them, in characters. */
const guidelineBudget = 8_000;
const perResult = 1_200;
const resultsBudget = 120_000;

const choiceSchema = z.object({ source_ids: z.array(z.int()).max(200) });

interface SelectorTask {
  guideline: string;
  listed: readonly Listed[];
  /** The most that may be chosen. */
  most: number;
}

/** Has a model choose among the listed; null where none is configured. */
export type AskSelector = (
  task: SelectorTask,
  context: StepContext,
) => Promise<{ chosen: Listed[]; by: string } | null>;

/**
 * @param prompt the name of the file that says how to choose
 * @throws ProofroomError what asking a model throws
 */
export function createAskSelector(
  models: Models,
  prompt: "select-to-keep" | "select-to-scrape",
): AskSelector {
  const system = readFileSync(new URL(`../prompts/${prompt}.md`, import.meta.url), "utf8");
  return async ({ guideline, listed, most }, context) => {
    const { runId, stepId, generation, signal } = context;
    const byNumber = new Map(listed.map((one) => [one.number, one]));
    const answer = await models.ask({
      role: "selector",
      asker: { runId, stepId, generation },
      request: {
        system,
        parts: [
          {
            kind: "text",
            text: `<guideline>\n${disarmed(guideline.slice(0, guidelineBudget))}\n</guideline>`,
          },
          { kind: "text", text: `<results>\n${disarmed(resultsText(listed))}\n</results>` },
          { kind: "text", text: `At most ${most}.` },
        ],
        maxTokens: 1_024,
      },
      expected: {
        kind: "json",
        schema: choiceSchema,
        check({ source_ids }) {
          const unknown = source_ids.filter((id) => !byNumber.has(id));
          if (unknown.length > 0) return `${unknown.slice(0, 5).join(", ")} is not in the list.`;
          const count = new Set(source_ids).size;
          return count > most ? `It chooses ${count}; at most ${most} were asked for.` : null;
        },
      },
      onWait: (...wait) => context.progress({ done: 0, message: waitingText(...wait) }),
      signal,
    });
    if (!("value" in answer)) return null;
    const chosen = [...new Set(answer.value.source_ids)].flatMap((id) => byNumber.get(id) ?? []);
    return { chosen, by: answer.by };
  };
}

/** The beginnings of all results, as far as they fit. */
function resultsText(listed: readonly Listed[]): string {
  const share = Math.min(perResult, Math.floor(resultsBudget / listed.length));
  return listed
    .map(({ number, ref, source: { title, text } }) =>
      `[${number}] ${onOneLine(title)}\n${ref}\n${onOneLine(text)}`.slice(0, share),
    )
    .join("\n\n");
}

function onOneLine(text: string): string {
  return text
    .slice(0, perResult)
    .replace(/\s+/g, " ")
    .slice(0, perResult / 2);
}
