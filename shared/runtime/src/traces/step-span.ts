import { toProofroomError } from "@proofroom/contracts";
import { type StepJob, WaitForChildren } from "@proofroom/queue";
import { dispositionAttribute, type Span, stepSpan, type Tracing } from "@proofroom/telemetry";

/** Executes a step in a span of its own. What only waits, for its children or for a quota, has not failed. */
export async function inStepSpan(
  tracing: Tracing,
  { capability, step_id: stepId, generation }: StepJob,
  work: (span: Span) => Promise<void>,
): Promise<void> {
  const span = tracing.open(stepSpan({ capability, stepId, generation }));
  try {
    await span.run(() => work(span));
  } catch (error) {
    const { code, disposition } = toProofroomError(error);
    if (error instanceof WaitForChildren) span.set({ [dispositionAttribute]: "waiting_children" });
    else if (disposition.kind === "wait") span.set({ [dispositionAttribute]: disposition.kind });
    else span.fail(code, { [dispositionAttribute]: disposition.kind });
    throw error;
  } finally {
    span.end();
  }
}
