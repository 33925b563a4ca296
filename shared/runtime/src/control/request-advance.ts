import type { ObjectStore } from "@proofroom/artifacts";
import { advance, type InputOf } from "@proofroom/contracts";
import type { EventLog, Producer } from "@proofroom/queue";
import type { Tracing } from "@proofroom/telemetry";
import { hashOf } from "../canonical.ts";

/** What the control of runs works with; the orchestrator does the rest when the queue tells it. */
export interface ControlDeps {
  store: ObjectStore;
  producer: Producer;
  events: EventLog;
  tracing?: Tracing | undefined;
}

/**
 * Asks the orchestrator to look at a run: what comes next is its business. The occasion makes the job's id, so that
 * the same one asks once and another is never taken for it.
 */
export async function requestAdvance(
  producer: Producer,
  runId: string,
  occasion: { id: string; generation?: number; input?: InputOf<typeof advance> },
): Promise<void> {
  await producer.submit(advance, {
    v: 1,
    run_id: runId,
    capability: advance.name,
    step_id: `advance-${hashOf(occasion.id).slice(0, 16)}`,
    generation: occasion.generation ?? 1,
    ...(occasion.input === undefined ? {} : { input: occasion.input }),
  });
}
