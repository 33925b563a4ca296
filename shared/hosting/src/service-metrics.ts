import {
  type Counter,
  createCounter,
  createJobMetrics,
  createModelMetrics,
  type JobMetrics,
  type Metric,
  type ModelMetrics,
} from "@proofroom/telemetry";

/** What a process counts of its work, since it began. */
export interface ServiceMetrics extends Metric {
  readonly jobs: JobMetrics;
  readonly models: ModelMetrics;
  /** Of articles and of their citations, by `of` and `verdict`. */
  readonly verdicts: Counter;
}

export function createServiceMetrics(): ServiceMetrics {
  const jobs = createJobMetrics();
  const models = createModelMetrics();
  const verdicts = createCounter("proofroom_verdicts_total", "Verdicts on articles and on cited sentences.");
  return { jobs, models, verdicts, text: () => jobs.text() + models.text() + verdicts.text() };
}
