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
export { createModelMetrics, type ModelMetrics } from "./model-metrics.ts";
export { createRequestMetrics, type RequestMetrics } from "./request-metrics.ts";
export {
  chatAnswer,
  chatSpan,
  inputMessages,
  messagesText,
  outputMessages,
  retrievalDocuments,
  retrievalQuery,
  retrievalSpan,
  systemInstructions,
  usageCost,
} from "./tracing/conventions/genai.ts";
export { fetchSpan, httpStatus, serverSpan } from "./tracing/conventions/http.ts";
export { toolCallSpan, toolError } from "./tracing/conventions/mcp.ts";
export { type Message, processSpan, sendSpan } from "./tracing/conventions/messaging.ts";
export {
  askOutcome,
  askSpan,
  bytesAttribute,
  contentInput,
  contentOutput,
  dispositionAttribute,
  parseSpan,
  recordingAttribute,
  runSpan,
  runStartSpan,
  sandboxOutcome,
  sandboxSpan,
  stepArtifacts,
  stepInput,
  stepOutput,
  stepSpan,
  storeSpan,
} from "./tracing/conventions/proofroom.ts";
export { createTracing } from "./tracing/create-tracing.ts";
export { type Destination, destinationsOf, type TraceSettings } from "./tracing/destinations.ts";
export { noTracing } from "./tracing/no-tracing.ts";
export { createSecretRemover, isSecretSetting, secretValues } from "./tracing/redact.ts";
export type { RunTraceStore } from "./tracing/run-traces.ts";
export { type SpanRecord, spanRecordSchema } from "./tracing/span-record.ts";
export { logFields } from "./tracing/trace-ids.ts";
export { formatTraceparent, parseTraceparent } from "./tracing/traceparent.ts";
export type { OpenSpan, Span, SpanStart, Tracing } from "./tracing/tracing.ts";
