import type { OutsideCalls } from "@proofroom/models";
import type { StepContext } from "@proofroom/runtime";
import type { Counted } from "./fetch-here.ts";

/** Has the fetches of a step counted against its run's budget: those that went over the network and were answered. */
export function countedFor(
  { runId, stepId, generation, signal }: StepContext,
  calls: Pick<OutsideCalls, "page">,
): Counted {
  const asker = { runId, stepId, generation };
  return (url, fetch) => calls.page({ asker, url, signal }, fetch);
}
