import type { Attempt } from "@proofroom/contracts";
import type { Ledger, LedgerState } from "./ledger.ts";
import type { StepRef } from "./ledger-keys.ts";

/** What the unfinished work of a run is doing: it is worked on, or it waits for models to have quota again. */
type Doing = "work" | { until: string };

function byTheLast(attempts: readonly Attempt[], now: number): Doing {
  const last = attempts.at(-1);
  const waits = last?.error?.code === "quota" && last.resumes_at !== undefined;
  return waits && Date.parse(last.resumes_at ?? "") > now ? { until: last.resumes_at ?? "" } : "work";
}

/** A step that has handed its work to children does what those of them do that have not ended. */
async function doingOf(ledger: Ledger, step: StepRef, now: number): Promise<Doing[]> {
  const own = byTheLast(await ledger.attempts(step), now);
  if (own !== "work") return [own];
  const children = await ledger.openChildren(step.stepId);
  if (children.length === 0) return [own];
  return Promise.all(children.map(async (child) => byTheLast(await ledger.attempts(child), now)));
}

/**
 * When a moving run goes on of which every step that has begun waits for quota, or null where one of them is worked on. A
 * time that has passed is none: what waited for it is about to be worked on.
 */
export async function waitingUntil(
  ledger: Ledger,
  steps: LedgerState["steps"],
  now: number,
): Promise<string | null> {
  const open = [...steps.values()].filter(({ record, failure }) => record === null && failure === null);
  const doing = (await Promise.all(open.map((step) => doingOf(ledger, step, now)))).flat();
  const times = doing.flatMap((one) => (one === "work" ? [] : [one.until]));
  return times.length > 0 && times.length === doing.length ? (times.sort()[0] ?? null) : null;
}
