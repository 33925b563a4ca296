export {
  createHealthServer,
  type HealthOptions,
  type HealthServer,
  prometheusMediaType,
} from "./health-server.ts";
export { createJobMetrics, type JobMetrics, type JobOutcome } from "./job-metrics.ts";
export { createLogger, type Logger, type LoggerOptions, silentLogger } from "./logger.ts";
export {
  type Counter,
  createCounter,
  createHistogram,
  gaugeText,
  type Histogram,
  type Labels,
  type Metric,
} from "./metrics.ts";
