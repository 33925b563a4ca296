import { readFileSync } from "node:fs";
import { disarmed, type Models, waitingText } from "@proofroom/models";
import type { StepContext } from "@proofroom/runtime";
import { z } from "zod";
import type { Listed } from "./listed.ts";

/** How much of the guideline and of each result is shown, in characters. */
const guidelineBudget = 8_000;
const excerptBudget = 600;

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
          { kind: "text", text: `<results>\n${disarmed(listed.map(resultText).join("\n\n"))}\n</results>` },
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

function resultText({ number, ref, source }: Listed): string {
  const excerpt = source.text.replace(/\s+/g, " ").slice(0, excerptBudget);
  return `[${number}] ${source.title.replace(/\s+/g, " ")}\n${ref}\n${excerpt}`;
}
