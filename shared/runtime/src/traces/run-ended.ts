import type { Epoch, Outcome, RunManifest } from "@proofroom/contracts";
import { noTracing, runSpan, type Tracing } from "@proofroom/telemetry";

/** Tells the trace of a run that its epoch has ended, from its beginning on, and has the trace put together. */
export function traceRunEnd(
  tracing: Tracing = noTracing,
  { plan, run_id: runId }: RunManifest,
  epoch: Epoch,
  outcome: Outcome,
): void {
  const span = tracing.open({
    ...runSpan({ plan, runId, epoch: epoch.n, status: outcome.status, article: outcome.article }),
    parent: epoch.traceparent,
    since: new Date(epoch.at),
  });
  if (outcome.status === "failed") span.fail(outcome.error?.code ?? "failed");
  span.end();
  tracing.ended(runId);
}
