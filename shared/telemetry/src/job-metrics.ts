import { createCounter, createHistogram, type Metric } from "./metrics.ts";

/**
 * How an execution ended: for good or ill, by a cancel, to be tried again, until its children are through, or cut short so
 * that somebody repeats it.
 */
export type JobOutcome = "done" | "failed" | "cancelled" | "retried" | "waiting" | "interrupted";

export interface JobMetrics extends Metric {
  /** Counts an execution that begins; the answer is to be called once, with how it ended. */
  begin(capability: string): (outcome: JobOutcome) => void;
}

/** Upper bounds of the duration buckets, in seconds: from a look at a ledger to a whole transcription. */
const bounds = [0.01, 0.05, 0.25, 1, 5, 15, 60, 300, 900] as const;

/** Counts the executions of jobs and their durations, by capability. */
export function createJobMetrics(): JobMetrics {
  const started = createCounter("proofroom_jobs_started_total", "Executions that began.");
  const ended = createCounter("proofroom_jobs_ended_total", "Executions that ended, by how they did.");
  const durations = createHistogram(
    "proofroom_job_duration_seconds",
    "How long executions took, however they ended.",
    bounds,
  );
  return {
    begin(capability) {
      const at = performance.now();
      started.add({ capability });
      return (outcome) => {
        ended.add({ capability, outcome });
        durations.observe({ capability }, (performance.now() - at) / 1_000);
      };
    },
    text: () => started.text() + ended.text() + durations.text(),
  };
}
