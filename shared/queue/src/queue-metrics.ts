import { gaugeText, type Labels } from "@proofroom/telemetry";
import type { QueueInspector, QueueState } from "./queue-inspector.ts";
import { within } from "./within.ts";

/** How long a look at the queues serves whoever asks, and how long it may take; milliseconds. */
const freshMs = 5_000;
const patienceMs = 2_000;

export interface QueueMetrics {
  /** How the queues stand, in the text format of Prometheus; without Redis, that they cannot be looked at. */
  text(): Promise<string>;
}

function textOf(states: readonly QueueState[] | null): string {
  const up = gaugeText("proofroom_queue_up", "Whether the queues can be looked at.", [
    [{}, states === null ? 0 : 1],
  ]);
  if (states === null) return up;
  const jobs = states.flatMap(({ queue, jobs: counts }) =>
    Object.entries(counts).map(([state, count]): [Labels, number] => [{ queue, state }, count]),
  );
  const oldest = states.map(({ queue, oldestSeconds }): [Labels, number] => [{ queue }, oldestSeconds]);
  const workers = states.flatMap(({ queue, workers: count }): [Labels, number][] =>
    count === null ? [] : [[{ queue }, count]],
  );
  return [
    up,
    gaugeText("proofroom_queue_jobs", "Jobs in a queue, by state.", jobs),
    gaugeText("proofroom_queue_oldest_seconds", "Age of the oldest job that waits.", oldest),
    gaugeText("proofroom_queue_workers", "Workers connected to a queue.", workers),
  ].join("");
}

/** Looks at the queues when it is asked, and at most once in a few seconds, however many ask. */
export function createQueueMetrics(inspector: QueueInspector, now: () => Date): QueueMetrics {
  let last: { at: number; text: Promise<string> } | undefined;
  return {
    text() {
      const at = now().getTime();
      if (last === undefined || at - last.at >= freshMs) {
        last = { at, text: within(inspector.inspect(), patienceMs).then(textOf) };
      }
      return last.text;
    },
  };
}
