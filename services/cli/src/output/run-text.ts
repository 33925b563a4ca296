import type { RunDescription, StepDescription } from "@proofroom/runtime/records";
import pc from "picocolors";
import { withBudgetWayOn } from "./budget-way-on.ts";
import { costText } from "./cost.ts";
import { failureText } from "./failure.ts";
import { localTime } from "./local-time.ts";
import { failureLines, noteLines, summaryOf, titleOf } from "./step-summary.ts";

type Ended = Pick<StepDescription, "output" | "error">;

/** A step as far as it is shown, described here or by a gateway. */
type ShownStep = Pick<StepDescription, "step" | "capability" | "generation" | "state"> & {
  [Key in keyof Ended]?: Ended[Key] | undefined;
};

interface ShownRun extends Omit<RunDescription, "steps"> {
  steps: readonly ShownStep[];
}

/** A line for each run. */
export function runLines(
  runs: readonly Pick<RunDescription, "run_id" | "created_at" | "status" | "article" | "title">[],
): string[] {
  return runs.map((run) => {
    const state = run.article === null ? run.status : `${run.status}, ${run.article}`;
    return `${run.run_id}  ${run.created_at.slice(0, 16).replace("T", " ")}  ${state.padEnd(19)}  ${run.title}`;
  });
}

const marks = { done: pc.green("✓"), stale: pc.yellow("~"), failed: pc.red("✗"), unfinished: "…" } as const;

function stepLine(step: ShownStep): string {
  const { service, title } = titleOf(step.step);
  const summary =
    step.output === undefined
      ? (step.error?.message ?? "")
      : summaryOf({ capability: step.capability, output: step.output });
  const again = step.generation > 1 ? ` (generation ${step.generation})` : "";
  const stale = step.state === "stale" ? " (stale: what it read has changed)" : "";
  const failures = step.output === undefined ? [] : failureLines({ output: step.output });
  const notes = step.output === undefined ? [] : noteLines({ output: step.output });
  const list = [...failures, ...notes].map((told) => `\n     - ${told}`).join("");
  const mark = step.state === "done" && failures.length > 0 ? pc.yellow("!") : marks[step.state];
  return ` ${mark} ${service.padEnd(12)} ${title}${again}${summary === "" ? "" : `: ${summary}`}${stale}\n   ${pc.dim(step.step)}${list}`;
}

/**
 * A run and its steps, for a person.
 * @param resume the command that goes on with it, as the user types it
 */
export function runText(run: ShownRun, resume: string): string {
  const lines = [run.title, `${run.run_id}: ${run.status}${run.article === null ? "" : `, ${run.article}`}`];
  if (run.waiting_until !== null)
    lines.push(`It waits for a limit and goes on by itself at ${localTime(run.waiting_until)}.`);
  lines.push(...run.steps.map(stepLine));
  for (const reason of run.reasons) lines.push(`  - ${reason}`);
  if (run.error !== null) lines.push(failureText(withBudgetWayOn(run.error, resume)));
  if (run.cost !== null) lines.push(costText(run.cost));
  if (run.status === "running" || run.status === "waiting_quota")
    lines.push(`If no process works on it: ${resume}`);
  if (run.steps.some(({ state }) => state === "stale")) lines.push(`Stale steps run again with: ${resume}`);
  return lines.join("\n");
}
