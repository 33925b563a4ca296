import { readFileSync } from "node:fs";
import type { GuidelineBrief } from "@proofroom/evidence";
import { isContentsHeading, isReferencesHeading, titleKey } from "@proofroom/markdown";
import { disarmed, type Models, waitingText } from "@proofroom/models";
import type { StepContext } from "@proofroom/runtime";
import { z } from "zod";
import type { EvidenceBase } from "../extractive/evidence-base.ts";
import { isSummaryTitle } from "../extractive/subject.ts";
import type { NotWritten } from "./write-section.ts";

/** How much of the evidence and of the guideline the planner is shown, in characters. */
const perSource = 1_500;
const overviewBudget = 40_000;
const guidelineBudget = 12_000;

const planSchema = z.object({
  sections: z
    .array(
      z.object({
        title: z.string().trim().min(1).max(200),
        key_points: z.array(z.string().trim().min(1).max(300)).min(1).max(8),
        target_word_count: z.int().min(60).max(2_000),
        include_code: z.boolean(),
      }),
    )
    .min(2)
    .max(12),
});
type Plan = z.output<typeof planSchema>;

interface PlannedSections {
  sections: GuidelineBrief["sections"];
  by: string;
}

/** Plans the sections of an article with a model; null where none is configured. */
export type OutlinePlanner = (
  task: { guideline: string; brief: GuidelineBrief; base: EvidenceBase },
  context: StepContext,
) => Promise<PlannedSections | NotWritten | null>;

/** @throws ProofroomError what asking a model throws */
export function createOutlinePlanner(models: Models): OutlinePlanner {
  const system = readFileSync(new URL("../prompts/plan-outline.md", import.meta.url), "utf8");
  return async ({ guideline, brief, base }, context) => {
    const { runId, stepId, generation, signal } = context;
    const answer = await models.ask({
      role: "planner",
      // Then the evidence itself gives the order, and the run says so.
      optional: true,
      asker: { runId, stepId, generation },
      request: {
        system,
        parts: [
          {
            kind: "text",
            text: `<guideline>\n${disarmed(guideline.slice(0, guidelineBudget))}\n</guideline>`,
          },
          { kind: "text", text: `<evidence>\n${disarmed(overviewOf(base))}\n</evidence>` },
          { kind: "text", text: lengthText(brief) },
        ],
        maxTokens: 4_096,
      },
      expected: { kind: "json", schema: planSchema, check: flawOf },
      onWait: (...wait) => context.progress({ done: 0, message: waitingText(...wait) }),
      signal,
    });
    if ("value" in answer) return { sections: fitted(answer.value, brief.expected_words), by: answer.by };
    return answer.useless === true ? { reason: "No plan that a model made could be used." } : null;
  };
}

/** Titles by which an article names its own parts. */
function isReserved(title: string): boolean {
  return isReferencesHeading(title) || isContentsHeading(title) || isSummaryTitle(title);
}

function flawOf({ sections }: Plan): string | null {
  const titles = sections.map(({ title }) => title);
  if (new Set(titles.map(titleKey)).size !== titles.length) return "Two sections have the same title.";
  const reserved = titles.find(isReserved);
  if (reserved !== undefined)
    return `A section is called “${reserved}”: name only sections about the subject.`;
  return titles.some((title) => /:\/\/|\bwww\./i.test(title)) ? "A title has an address in it." : null;
}

/** Plans whose length is this far from what was asked for are brought to it; without a wish they may be so long, in words. */
const tolerance = 0.2;
const longest = 6_000;
const leastWords = 60;

/** The planned sections on one line each, and as long together as was asked for. */
function fitted({ sections }: Plan, expected: number | null): Plan["sections"] {
  const words = sections.reduce((sum, { target_word_count }) => sum + target_word_count, 0);
  const wanted = expected ?? Math.min(words, longest);
  const factor = Math.abs(words - wanted) <= wanted * tolerance ? 1 : wanted / words;
  return sections.map(({ title, key_points, target_word_count, include_code }) => ({
    title: onOneLine(title),
    key_points: [...new Set(key_points.map(onOneLine))],
    target_word_count: Math.max(Math.round(target_word_count * factor), leastWords),
    include_code,
  }));
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}

function lengthText({ expected_words, audience }: GuidelineBrief): string {
  const length =
    expected_words === null ? "Choose the length." : `The whole article: about ${expected_words} words.`;
  return audience === null ? length : `${length}\nReaders: ${audience}`;
}

/** The beginnings of all sources, as far as they fit. */
function overviewOf({ corpus }: EvidenceBase): string {
  const share = Math.min(perSource, Math.floor(overviewBudget / Math.max(corpus.sources.length, 1)));
  return corpus.sources.map(({ id, title, text }) => `${id}: ${title}\n${text}`.slice(0, share)).join("\n\n");
}
