import { artifact, isProofroomError, type Selection, toProofroomError } from "@proofroom/contracts";
import { type GuidelineBrief, parseGuidelineBrief } from "@proofroom/evidence";
import { extractive } from "@proofroom/models";
import type { StepContext } from "@proofroom/runtime";
import type { AskSelector } from "./ask-selector.ts";
import { chooseByRules } from "./choose-by-rules.ts";
import type { Listed } from "./listed.ts";

export interface SelectionPlan {
  listed: readonly Listed[];
  ask: AskSelector;
  /** What the model may choose at most, and what the rules do. */
  most: number;
  rules: { most: number; perHost: number };
  /** Where it is noted what was chosen, and how. */
  artifact: string;
}

export type Selected = Pick<Selection, "selected_by" | "degraded" | "reason"> & { chosen: Listed[] };

/**
 * Chooses among what is listed and nothing else: by a model, or by rules where there is none or it fails, which is
 * flagged with the reason. Nothing is ever chosen because choosing failed.
 * @throws ProofroomError what says that the choice must wait: limits, a budget, a cancellation
 */
export async function select(context: StepContext, plan: SelectionPlan): Promise<Selected> {
  const selected = await choose(context, plan);
  await context.artifacts.writeJson(plan.artifact, {
    v: 1,
    considered: plan.listed.map(({ ref }) => ref),
    chosen: selected.chosen.map(({ ref }) => ref),
    selected_by: selected.selected_by,
    degraded: selected.degraded,
    reason: selected.reason,
  } satisfies Selection);
  return selected;
}

async function choose(context: StepContext, plan: SelectionPlan): Promise<Selected> {
  if (plan.listed.length === 0) {
    const reason = "There was nothing to choose from.";
    return { chosen: [], selected_by: extractive, degraded: false, reason };
  }
  const guideline = (await context.artifacts.tryReadText(artifact.guideline)) ?? "";
  const asked = await plan
    .ask({ guideline, listed: plan.listed, most: plan.most }, context)
    .catch((error: unknown) => {
      context.signal.throwIfAborted();
      if (mustWait(error)) throw error;
      const { message } = toProofroomError(error);
      return `The model did not choose: ${message}`;
    });
  if (asked !== null && typeof asked !== "string") {
    return { chosen: asked.chosen, selected_by: asked.by, degraded: false, reason: null };
  }
  return {
    chosen: await byRules(parseGuidelineBrief(guideline), context, plan),
    selected_by: extractive,
    degraded: true,
    reason: asked ?? "No model is configured that chooses.",
  };
}

function byRules(brief: GuidelineBrief, { signal }: StepContext, { listed, rules }: SelectionPlan) {
  return chooseByRules(brief, listed, { ...rules, signal });
}

function mustWait(error: unknown): boolean {
  if (!isProofroomError(error)) return false;
  const { code, disposition } = error;
  return (
    disposition.kind === "wait" || code === "budget" || code === "cancelled" || code === "dependency_down"
  );
}
